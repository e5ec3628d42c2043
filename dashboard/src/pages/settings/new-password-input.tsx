import { Group, PasswordInput, type PasswordInputProps, Progress, Text } from '@mantine/core';
import {
  MAX_PASSWORD,
  MIN_PASSWORD,
  passwordStrength,
  type PasswordStrength,
} from '../../../../src/accounts/domain/password';
import { strings } from '../../strings';

const texts = strings.settings.password;

const LOOKS: Record<PasswordStrength, { value: number; color: string }> = {
  too_short: { value: 15, color: 'red' },
  weak: { value: 40, color: 'orange' },
  fair: { value: 70, color: 'yellow' },
  strong: { value: 100, color: 'green' },
};

/** An input for a new password, with a hint about its strength. */
export function NewPasswordInput(props: PasswordInputProps & { value?: string }) {
  const { value = '' } = props;
  const strength = passwordStrength(value);
  return (
    <div>
      <PasswordInput
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': texts.show }}
        {...props}
      />
      {value !== '' && (
        <Group gap="xs" mt={6} wrap="nowrap" role="status">
          <Progress w={80} size="sm" {...LOOKS[strength]} aria-label={texts.strength} />
          <Text size="xs" c="dimmed">
            {texts.strengths[strength]}
          </Text>
        </Group>
      )}
    </div>
  );
}

/** The fault of a password that the service will refuse. */
export function newPasswordFault(password: string): string | null {
  const { length } = [...password];
  if (length < MIN_PASSWORD) return texts.tooShort(MIN_PASSWORD);
  return length > MAX_PASSWORD ? texts.tooLong(MAX_PASSWORD) : null;
}

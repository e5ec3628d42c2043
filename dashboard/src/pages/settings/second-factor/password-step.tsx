import { Button, Card, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../../api/client';
import { submitTo } from '../../../api/form-faults';
import { useWrite } from '../../../api/queries';
import { strings } from '../../../strings';
import type { Setup } from '../types';

const texts = strings.settings.secondFactor;

/** Asks for the password, so that nobody can lock out the user of an open browser. */
export function PasswordStep({ onBegun }: { onBegun: (setup: Setup) => void }) {
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value === '' ? strings.settings.password.currentMissing : null) },
  });
  const begin = useWrite((values: typeof form.values) => api.post<Setup>('second-factor', values), {
    notify: false,
    onSuccess: onBegun,
  });
  return (
    <Card withBorder maw={520} padding="lg">
      <form noValidate onSubmit={submitTo(form, begin)}>
        <Stack>
          <Text size="sm">{texts.off}</Text>
          <PasswordInput
            label={strings.settings.password.current}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': strings.settings.password.show }}
            {...form.getInputProps('password')}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={begin.isPending}>
              {texts.begin}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

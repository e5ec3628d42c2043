import { Card, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../../api/client';
import { submitTo } from '../../../api/form-faults';
import { useWrite } from '../../../api/queries';
import { CopyText } from '../../../components/copy-button';
import { CodeInput } from '../../../components/code-input';
import { DialogForm } from '../../../components/dialog-form';
import { QrCode } from '../../../components/qr-code';
import { strings } from '../../../strings';
import type { NewRecoveryCodes, Setup } from '../types';

const texts = strings.settings.secondFactor;

interface ConfirmStepProps {
  setup: Setup;
  onCancel: () => void;
  onTurnedOn: (recoveryCodes: string[]) => void;
}

/** Shows the secret for the user's app, and asks for its first code. */
export function ConfirmStep({ setup, onCancel, onTurnedOn }: ConfirmStepProps) {
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (value) => (value.trim() === '' ? texts.codeMissing : null) },
  });
  const turnOn = useWrite(
    (values: typeof form.values) => api.post<NewRecoveryCodes>('second-factor/turn-on', values),
    {
      refresh: ['second-factor', 'users'],
      notify: false,
      onSuccess: ({ recovery_codes }) => onTurnedOn(recovery_codes),
    },
  );
  return (
    <Card withBorder maw={520} padding="lg">
      <DialogForm
        onSubmit={submitTo(form, turnOn)}
        onCancel={onCancel}
        submit={texts.turnOn}
        isBusy={turnOn.isPending}
      >
        <Text size="sm">{texts.scan}</Text>
        <QrCode value={setup.uri} label={texts.qrCode} />
        <Stack gap={4}>
          <Text size="sm">{texts.typeSecret}</Text>
          <CopyText value={setup.secret} label={texts.secret} />
        </Stack>
        <CodeInput description={texts.firstCodeHint} {...form.getInputProps('code')} />
        <Text size="sm" c="dimmed">
          {texts.turnOnText}
        </Text>
      </DialogForm>
    </Card>
  );
}

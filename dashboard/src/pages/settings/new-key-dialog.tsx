import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { SCOPES } from '../../../../src/accounts/domain/scopes';
import { api } from '../../api/client';
import { submitTo } from '../../api/form-faults';
import { useWrite } from '../../api/queries';
import { DialogForm } from '../../components/dialog-form';
import { ShownOnce } from '../../components/shown-once';
import { strings } from '../../strings';

const texts = strings.settings.apiKeys;

interface NewKey {
  api_key_id: string;
  api_key: string;
}

interface NewKeyDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Makes a key, and shows it only once. */
export function NewKeyDialog({ opened, onClose }: NewKeyDialogProps) {
  const form = useForm({
    initialValues: { name: '', expires_at: '', scopes: [...SCOPES] as string[] },
    validate: {
      name: (value) => (value.trim() === '' ? texts.nameMissing : null),
      scopes: (value) => (value.length === 0 ? texts.scopesMissing : null),
    },
  });
  const create = useWrite(
    ({ name, expires_at, scopes }: typeof form.values) =>
      api.post<NewKey>('api-keys', {
        name,
        scopes,
        ...(expires_at !== '' && { expires_at: endOf(expires_at) }),
      }),
    { refresh: ['api-keys'], notify: false },
  );
  const close = () => {
    form.reset();
    create.reset();
    onClose();
  };
  return (
    <ShownOnce
      opened={opened}
      onClose={close}
      title={texts.create}
      secret={create.data?.api_key}
      texts={texts}
    >
      <DialogForm
        onSubmit={submitTo(form, create)}
        onCancel={close}
        submit={texts.create}
        isBusy={create.isPending}
      >
        <TextInput
          label={texts.name}
          description={texts.nameHint}
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Checkbox.Group label={texts.scopes} description={texts.scopesHint} {...form.getInputProps('scopes')}>
          <Stack gap="xs" mt="xs">
            {SCOPES.map((scope) => (
              <Checkbox
                key={scope}
                value={scope}
                label={texts.scopeTexts[scope]}
                description={texts.scopeHints[scope]}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <TextInput
          label={texts.expiry}
          description={texts.expiryHint}
          type="date"
          {...form.getInputProps('expires_at')}
        />
      </DialogForm>
    </ShownOnce>
  );
}

/** The last moment of a day in the browser's time zone. */
function endOf(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}

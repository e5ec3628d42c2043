import { Alert, Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAlertTriangle } from '@tabler/icons-react';
import { SCOPES } from '../../../../src/accounts/domain/scopes';
import { api } from '../../api/client';
import { submitTo } from '../../api/form-faults';
import { useWrite } from '../../api/queries';
import { CopyText } from '../../components/copy-button';
import { DialogForm } from '../../components/dialog-form';
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

/** Makes a key, and shows it only once: the dialog closes only by its button, which says that. */
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
  const key = create.data?.api_key;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={key ? texts.shownTitle : texts.create}
      centered
      {...(key && { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false })}
    >
      {key ? (
        <Stack>
          <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
            {texts.shownText}
          </Alert>
          <CopyText value={key} label={texts.key} />
          <Group justify="flex-end">
            <Button onClick={close} data-autofocus>
              {texts.close}
            </Button>
          </Group>
        </Stack>
      ) : (
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
          <Checkbox.Group
            label={texts.scopes}
            description={texts.scopesHint}
            {...form.getInputProps('scopes')}
          >
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
      )}
    </Modal>
  );
}

/** The last moment of a day in the browser's time zone. */
function endOf(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}

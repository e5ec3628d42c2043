import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../api/client';
import { showFaults } from '../../api/form-faults';
import { notifyDone } from '../../api/notify';
import { useWrite } from '../../api/queries';
import { strings } from '../../strings';
import { NewPasswordInput, newPasswordFault } from './new-password-input';
import type { User } from './types';

const texts = strings.settings.users;

interface ResetPasswordDialogProps {
  user: User;
  opened: boolean;
  onClose: () => void;
}

export function ResetPasswordDialog({ user, opened, onClose }: ResetPasswordDialogProps) {
  const form = useForm({ initialValues: { password: '' }, validate: { password: newPasswordFault } });
  const close = () => {
    form.reset();
    onClose();
  };
  const reset = useWrite((values: typeof form.values) => api.put(`users/${user.user_id}/password`, values), {
    notify: false,
    onSuccess: () => {
      notifyDone(texts.resetDone(user.email));
      close();
    },
  });
  return (
    <Modal opened={opened} onClose={close} title={texts.resetTitle(user.email)} centered>
      <form
        noValidate
        onSubmit={form.onSubmit((values) =>
          reset.mutate(values, { onError: (fault) => showFaults(form, fault) }),
        )}
      >
        <Stack>
          <Text size="sm">{texts.resetText}</Text>
          <NewPasswordInput
            label={texts.newPassword}
            description={texts.passwordHint}
            data-autofocus
            {...form.getInputProps('password')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {strings.common.cancel}
            </Button>
            <Button type="submit" loading={reset.isPending}>
              {texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

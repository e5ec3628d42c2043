import { Modal, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../api/client';
import { submitTo } from '../../api/form-faults';
import { notifyDone } from '../../api/notify';
import { useWrite } from '../../api/queries';
import { DialogForm } from '../../components/dialog-form';
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
      <DialogForm
        onSubmit={submitTo(form, reset)}
        onCancel={close}
        submit={texts.save}
        isBusy={reset.isPending}
      >
        <Text size="sm">{texts.resetText}</Text>
        <NewPasswordInput
          label={texts.newPassword}
          description={texts.passwordHint}
          data-autofocus
          {...form.getInputProps('password')}
        />
      </DialogForm>
    </Modal>
  );
}

import { Modal, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../api/client';
import { submitTo } from '../../api/form-faults';
import { notifyDone } from '../../api/notify';
import { useWrite } from '../../api/queries';
import { DialogForm } from '../../components/dialog-form';
import { strings } from '../../strings';
import { NewPasswordInput, newPasswordFault } from './new-password-input';
import { roleOptions, RoleOption } from './role-options';
import type { User } from './types';

const texts = strings.settings.users;

interface NewUserDialogProps {
  opened: boolean;
  onClose: () => void;
}

export function NewUserDialog({ opened, onClose }: NewUserDialogProps) {
  const form = useForm({
    initialValues: { email: '', role: 'editor', password: '' },
    validate: {
      email: (value) => (value.trim() === '' ? texts.emailMissing : null),
      password: newPasswordFault,
    },
  });
  const close = () => {
    form.reset();
    onClose();
  };
  const create = useWrite(
    ({ email, ...rest }: typeof form.values) => api.post<User>('users', { email: email.trim(), ...rest }),
    {
      refresh: ['users'],
      notify: false,
      onSuccess: ({ email }) => {
        notifyDone(texts.made(email));
        close();
      },
    },
  );
  return (
    <Modal opened={opened} onClose={close} title={texts.create} centered>
      <DialogForm
        onSubmit={submitTo(form, create)}
        onCancel={close}
        submit={texts.create}
        isBusy={create.isPending}
      >
        <TextInput
          label={texts.email}
          type="email"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <Select
          label={texts.role}
          data={roleOptions}
          renderOption={RoleOption}
          allowDeselect={false}
          {...form.getInputProps('role')}
        />
        <NewPasswordInput
          label={texts.password}
          description={texts.passwordHint}
          {...form.getInputProps('password')}
        />
      </DialogForm>
    </Modal>
  );
}

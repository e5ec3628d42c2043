import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconKey, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/client';
import { notifyDone } from '../../api/notify';
import { useWrite } from '../../api/queries';
import { ConfirmDialog } from '../../components/confirm';
import { strings } from '../../strings';
import { ResetPasswordDialog } from './reset-password-dialog';
import type { User } from './types';

const texts = strings.settings.users;

/** What else can be done with a user. */
export function UserActions({ user }: { user: User }) {
  const [open, setOpen] = useState<'reset' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const remove = useWrite(() => api.delete(`users/${user.user_id}`), {
    refresh: ['users'],
    notify: false,
    onSuccess: () => notifyDone(texts.removed(user.email)),
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={texts.actions(user.email)}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={() => setOpen('reset')}>
            {texts.reset}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTrash size={16} aria-hidden />}
            color="red"
            onClick={() => setOpen('remove')}
          >
            {texts.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ResetPasswordDialog user={user} opened={open === 'reset'} onClose={close} />
      <ConfirmDialog
        opened={open === 'remove'}
        onClose={close}
        title={texts.removeTitle(user.email)}
        message={texts.removeText}
        confirm={texts.remove}
        danger
        onConfirm={() => remove.mutateAsync()}
      />
    </>
  );
}

import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconKey, IconShieldOff, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/client';
import { notifyDone } from '../../api/notify';
import { useWrite } from '../../api/queries';
import { useUser } from '../../api/session';
import { ConfirmDialog } from '../../components/confirm';
import { strings } from '../../strings';
import { ResetPasswordDialog } from './reset-password-dialog';
import type { User } from './types';

const texts = strings.settings.users;

/** The menu of further actions for a user. */
export function UserActions({ user }: { user: User }) {
  const [open, setOpen] = useState<'reset' | 'second-factor' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const remove = useWrite(() => api.delete(`users/${user.user_id}`), {
    refresh: ['users'],
    notify: false,
    onSuccess: () => notifyDone(texts.removed(user.email)),
  });
  const resetSecondFactor = useWrite(() => api.delete(`users/${user.user_id}/second-factor`), {
    refresh: ['users'],
    notify: false,
    onSuccess: () => notifyDone(texts.secondFactorReset(user.email)),
  });
  const isOneself = useUser().user_id === user.user_id;
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
          {user.second_factor && !isOneself && (
            <Menu.Item
              leftSection={<IconShieldOff size={16} aria-hidden />}
              onClick={() => setOpen('second-factor')}
            >
              {texts.resetSecondFactor}
            </Menu.Item>
          )}
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
        opened={open === 'second-factor'}
        onClose={close}
        title={texts.resetSecondFactorTitle(user.email)}
        message={texts.resetSecondFactorText}
        confirm={texts.resetSecondFactor}
        danger
        onConfirm={() => resetSecondFactor.mutateAsync()}
      />
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

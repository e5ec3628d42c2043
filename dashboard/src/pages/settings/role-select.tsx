import { Select } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/client';
import { notifyDone } from '../../api/notify';
import { useWrite } from '../../api/queries';
import { recheckSession, type Role, useUser } from '../../api/session';
import { ConfirmDialog } from '../../components/confirm';
import { strings } from '../../strings';
import { roleOptions, RoleOption } from './role-options';
import type { User } from './types';

const texts = strings.settings.users;

/** Changes the role of a user; asks before users give up rights of their own. */
export function RoleSelect({ user }: { user: User }) {
  const own = useUser().user_id === user.user_id;
  const [asked, setAsked] = useState<Role | null>(null);
  const change = useWrite((role: Role) => api.patch<User>(`users/${user.user_id}`, { role }), {
    refresh: ['users'],
    notify: asked === null, // the dialog shows the fault otherwise
    onSuccess: async (_user, role) => {
      notifyDone(texts.changed(user.email, texts.roles[role]));
      if (own) await recheckSession();
    },
  });
  const choose = (role: Role) => {
    if (role === user.role) return;
    if (own) setAsked(role);
    else change.mutate(role);
  };
  return (
    <>
      <Select
        aria-label={texts.roleOf(user.email)}
        data={roleOptions}
        renderOption={RoleOption}
        value={user.role}
        onChange={(role) => role && choose(role as Role)}
        allowDeselect={false}
        disabled={change.isPending}
        size="xs"
        w={130}
        comboboxProps={{ width: 280, position: 'bottom-start' }}
      />
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={texts.demoteTitle}
        message={texts.demoteText}
        confirm={texts.demote}
        danger
        onConfirm={async () => {
          if (asked) await change.mutateAsync(asked);
        }}
      />
    </>
  );
}

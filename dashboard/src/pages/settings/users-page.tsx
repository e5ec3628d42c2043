import { Badge, Group, Table, Text } from '@mantine/core';
import { useGet } from '../../api/queries';
import { useUser } from '../../api/session';
import { Explained } from '../../components/explained';
import { QueryState } from '../../components/query-state';
import { Time } from '../../components/time';
import { strings } from '../../strings';
import { NewUserDialog } from './new-user-dialog';
import { OwnersPage } from './owners-page';
import { RoleSelect } from './role-select';
import classes from './settings.module.css';
import type { User } from './types';
import { UserActions } from './user-actions';

const texts = strings.settings.users;

/** The users who may sign in, and their roles. */
export default function UsersPage() {
  return (
    <OwnersPage texts={texts}>
      {(creating) => (
        <>
          <Users />
          <NewUserDialog opened={creating.opened} onClose={creating.onClose} />
        </>
      )}
    </OwnersPage>
  );
}

function Users() {
  const users = useGet<User[]>('users');
  return (
    <QueryState query={users}>
      {(rows) => (
        <Table className={classes.cards} verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.email}</Table.Th>
              <Table.Th>{texts.role}</Table.Th>
              <Table.Th>{texts.lastSeen}</Table.Th>
              <Table.Th>{texts.created}</Table.Th>
              <Table.Td />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <UserRow key={row.user_id} row={row} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </QueryState>
  );
}

function UserRow({ row }: { row: User }) {
  const { user_id } = useUser();
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={6}>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {row.email}
          </Text>
          {row.user_id === user_id && (
            <Badge variant="default" size="sm" tt="none">
              {texts.you}
            </Badge>
          )}
          {row.second_factor && (
            <Explained by={texts.secondFactorHint} display="inline-flex">
              <Badge variant="light" size="sm" tt="none" style={{ cursor: 'inherit' }}>
                {texts.secondFactor}
              </Badge>
            </Explained>
          )}
          {row.operator && (
            <Explained by={texts.operatorHint} display="inline-flex">
              <Badge variant="light" size="sm" tt="none" style={{ cursor: 'inherit' }}>
                {texts.operator}
              </Badge>
            </Explained>
          )}
        </Group>
      </Table.Td>
      <Table.Td data-label={texts.role}>
        <RoleSelect user={row} />
      </Table.Td>
      <Table.Td data-label={texts.lastSeen}>
        {row.last_seen_at ? <Time at={row.last_seen_at} /> : texts.neverSeen}
      </Table.Td>
      <Table.Td data-label={texts.created}>
        <Time at={row.created_at} />
      </Table.Td>
      <Table.Td className={classes.actions}>
        <UserActions user={row} />
      </Table.Td>
    </Table.Tr>
  );
}

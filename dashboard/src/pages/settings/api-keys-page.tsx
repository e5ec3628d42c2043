import { Table, Text } from '@mantine/core';
import { IconBan, IconCircleCheck, IconClock, IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { SCOPES } from '../../../../src/accounts/domain/scopes';
import { api } from '../../api/client';
import { notifyDone } from '../../api/notify';
import { useGet, useWrite } from '../../api/queries';
import { ConfirmButton } from '../../components/confirm';
import { EmptyState } from '../../components/empty-state';
import { QueryState } from '../../components/query-state';
import { Time } from '../../components/time';
import { ToneBadge } from '../../components/tone-badge';
import { strings } from '../../strings';
import { NewKeyDialog } from './new-key-dialog';
import { OwnersPage } from './owners-page';
import classes from './settings.module.css';
import type { ApiKey } from './types';

const texts = strings.settings.apiKeys;

/** The API keys of programs. */
export default function ApiKeysPage() {
  return (
    <OwnersPage texts={texts}>
      {({ opened, onClose, create }) => (
        <>
          <Keys create={create} />
          <NewKeyDialog opened={opened} onClose={onClose} />
        </>
      )}
    </OwnersPage>
  );
}

function Keys({ create }: { create: ReactNode }) {
  const keys = useGet<ApiKey[]>('api-keys');
  return (
    <QueryState query={keys}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState icon={IconKey} title={texts.noneTitle} description={texts.noneText} action={create} />
        ) : (
          <KeyTable rows={rows} now={keys.dataUpdatedAt} />
        )
      }
    </QueryState>
  );
}

function KeyTable({ rows, now }: { rows: ApiKey[]; now: number }) {
  return (
    <Table className={classes.cards} verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.name}</Table.Th>
          <Table.Th>{texts.state}</Table.Th>
          <Table.Th>{texts.scopes}</Table.Th>
          <Table.Th>{texts.lastUsed}</Table.Th>
          <Table.Th>{texts.created}</Table.Th>
          <Table.Th>{texts.expiry}</Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.api_key_id}>
            <Table.Td>
              <Text size="sm" fw={600} dir="auto" style={{ overflowWrap: 'anywhere' }}>
                {row.name}
              </Text>
            </Table.Td>
            <Table.Td data-label={texts.state}>
              <State row={row} now={now} />
            </Table.Td>
            <Table.Td data-label={texts.scopes}>
              <Text size="sm">{scopesText(row.scopes)}</Text>
            </Table.Td>
            <Table.Td data-label={texts.lastUsed}>
              {row.last_used_at ? <Time at={row.last_used_at} /> : texts.never}
            </Table.Td>
            <Table.Td data-label={texts.created}>
              <Time at={row.created_at} />
            </Table.Td>
            <Table.Td data-label={texts.expiry}>
              {row.expires_at ? <Time at={row.expires_at} /> : texts.never}
            </Table.Td>
            <Table.Td className={classes.actions}>{!row.revoked_at && <Revoke row={row} />}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function scopesText(scopes: ApiKey['scopes']): string {
  if (scopes.length === SCOPES.length) return texts.allScopes;
  return scopes.map((scope) => texts.scopeTexts[scope]).join(', ');
}

function State({ row: { revoked_at, expires_at }, now }: { row: ApiKey; now: number }) {
  if (revoked_at) return <ToneBadge tone="neutral" icon={IconBan} label={texts.revoked} size="sm" />;
  if (expires_at && Date.parse(expires_at) <= now) {
    return <ToneBadge tone="neutral" icon={IconClock} label={texts.expired} size="sm" />;
  }
  return <ToneBadge tone="good" icon={IconCircleCheck} label={texts.active} size="sm" />;
}

function Revoke({ row: { api_key_id, name } }: { row: ApiKey }) {
  const revoke = useWrite(() => api.delete(`api-keys/${api_key_id}`), {
    refresh: ['api-keys'],
    notify: false,
    onSuccess: () => notifyDone(texts.done(name)),
  });
  return (
    <ConfirmButton
      size="xs"
      title={texts.revokeTitle(name)}
      message={texts.revokeText}
      confirm={texts.revoke}
      danger
      onConfirm={() => revoke.mutateAsync()}
    >
      {texts.revoke}
    </ConfirmButton>
  );
}

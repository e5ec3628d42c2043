import { Table, Text } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useGet } from '../../../api/queries';
import { EmptyState } from '../../../components/empty-state';
import { QueryState } from '../../../components/query-state';
import { Time } from '../../../components/time';
import { strings } from '../../../strings';
import { OwnersPage } from '../owners-page';
import classes from '../settings.module.css';
import { EndpointActions } from './endpoint-actions';
import { EndpointState } from './endpoint-state';
import { NewEndpointDialog } from './new-endpoint-dialog';
import type { Endpoint } from './types';

const texts = strings.settings.endpoints;

/** Milliseconds between two looks: what an endpoint answers is seen while the page is open. */
const REFRESH = 5_000;

/** Where the tenant's events are posted to. */
export default function EndpointsPage() {
  return (
    <OwnersPage texts={texts}>
      {({ opened, onClose, create }) => (
        <>
          <Endpoints create={create} />
          <NewEndpointDialog opened={opened} onClose={onClose} />
        </>
      )}
    </OwnersPage>
  );
}

function Endpoints({ create }: { create: ReactNode }) {
  const endpoints = useGet<Endpoint[]>('webhook-endpoints', undefined, { refetchInterval: REFRESH });
  return (
    <QueryState query={endpoints}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState
            icon={IconWebhook}
            title={texts.noneTitle}
            description={texts.noneText}
            action={create}
          />
        ) : (
          <EndpointTable rows={rows} />
        )
      }
    </QueryState>
  );
}

function EndpointTable({ rows }: { rows: Endpoint[] }) {
  return (
    <Table className={classes.cards} verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.url}</Table.Th>
          <Table.Th>{texts.state}</Table.Th>
          <Table.Th>{texts.types}</Table.Th>
          <Table.Th>{texts.succeeded}</Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.webhook_endpoint_id}>
            <Table.Td>
              <Text size="sm" fw={600} dir="ltr" style={{ overflowWrap: 'anywhere' }}>
                {row.url}
              </Text>
              {row.description && (
                <Text size="sm" c="dimmed" dir="auto">
                  {row.description}
                </Text>
              )}
            </Table.Td>
            <Table.Td data-label={texts.state}>
              <EndpointState endpoint={row} />
            </Table.Td>
            <Table.Td data-label={texts.types}>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {row.types?.join(', ') ?? texts.allTypes}
              </Text>
            </Table.Td>
            <Table.Td data-label={texts.succeeded}>
              {row.succeeded_at ? <Time at={row.succeeded_at} /> : texts.never}
            </Table.Td>
            <Table.Td className={classes.actions}>
              <EndpointActions endpoint={row} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

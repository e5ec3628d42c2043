import { Anchor, Group, NativeSelect, Table, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { usePages } from '../../api/queries';
import { ErrorState } from '../../components/error-state';
import { LoadingState } from '../../components/loading-state';
import { LoadMore } from '../../components/load-more';
import { StatusBadge } from '../../components/status-badge';
import { strings } from '../../strings';
import classes from './campaigns.module.css';
import type { CampaignDetail, CampaignRow } from './types';

const texts = strings.campaigns.detail;

const FILTERS = {
  all: {},
  pending: { state: 'pending' },
  accepted: { state: 'accepted' },
  faulty: { faulty: true },
};
type Filter = keyof typeof FILTERS;

/** Milliseconds after which each page of the list is read again while messages are under way. */
const RENEWAL = 5_000;

/** The rows of the list, with the state of each. */
export function RecipientsTable({ campaign }: { campaign: CampaignDetail }) {
  const [filter, setFilter] = useState<Filter>('all');
  const pages = usePages<CampaignRow>(`campaigns/${campaign.campaign_id}/rows`, {
    limit: 50,
    ...FILTERS[filter],
  });
  const { refetch } = pages;
  const isMoving = campaign.status === 'running' || campaign.status === 'finished';
  useEffect(() => {
    if (!isMoving) return void refetch();
    const timer = setInterval(() => void refetch(), RENEWAL);
    return () => clearInterval(timer);
  }, [isMoving, refetch]);
  return (
    <section>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3">
          {texts.recipients}
        </Title>
        <NativeSelect
          aria-label={texts.filter}
          size="xs"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value as Filter)}
          data={(Object.keys(FILTERS) as Filter[]).map((value) => ({ value, label: texts.filters[value] }))}
        />
      </Group>
      {pages.error && <ErrorState fault={pages.error} onRetry={() => void refetch()} />}
      {pages.isPending ? <LoadingState /> : <Rows rows={pages.rows} />}
      <LoadMore pages={pages} />
    </section>
  );
}

function Rows({ rows }: { rows: CampaignRow[] }) {
  if (rows.length === 0) return <Text c="dimmed">{texts.noRows}</Text>;
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.row}</Table.Th>
          <Table.Th>{texts.phone}</Table.Th>
          <Table.Th>{texts.what}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.row_number}>
            <Table.Td className="tabular">{row.row_number}</Table.Td>
            <Table.Td className="tabular">
              <Phone row={row} />
            </Table.Td>
            <Table.Td className={classes.cell}>
              <State row={row} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Phone({ row: { row_number, phone, message_log_id: id } }: { row: CampaignRow }) {
  const text = phone === null ? strings.common.none : `+${phone}`;
  if (id === null) return text;
  return (
    <Anchor
      component={Link}
      to={`/messages/${id}`}
      size="sm"
      aria-label={`${text}, ${texts.open(row_number)}`}
    >
      {text}
    </Anchor>
  );
}

function State({ row: { state, fault, message_status: status } }: { row: CampaignRow }) {
  if (status !== null) return <StatusBadge status={status} size="sm" />;
  return (
    <>
      <Text size="sm">{texts.rowStates[state]}</Text>
      {fault && (
        <Text size="sm" c="dimmed">
          {fault.column ? `${fault.column}: ${fault.message}` : fault.message}
        </Text>
      )}
    </>
  );
}

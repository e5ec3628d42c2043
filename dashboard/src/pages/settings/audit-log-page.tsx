import { Button, Code, Group, Select, Stack, Table, Text } from '@mantine/core';
import { IconHistory, IconX } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { useGet, usePages } from '../../api/queries';
import { EmptyState } from '../../components/empty-state';
import { ErrorState } from '../../components/error-state';
import { LoadMore } from '../../components/load-more';
import { LoadingState } from '../../components/loading-state';
import { OnlyFor } from '../../components/only-for';
import { PageHeader } from '../../components/page-header';
import { Time } from '../../components/time';
import { strings } from '../../strings';
import { factsOf } from './audit-facts';
import classes from './settings.module.css';
import type { AuditEntry, AuditFacets } from './types';

const texts = strings.settings.audit;

/** The audit log: who did what, newest first. */
export default function AuditLogPage() {
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <OnlyFor role="owner">
        <Log />
      </OnlyFor>
    </>
  );
}

function Log() {
  const [search, setSearch] = useSearchParams();
  const filters = { user_id: search.get('user_id'), action: search.get('action') };
  const pages = usePages<AuditEntry>('audit-log', filters);
  const isFiltered = filters.user_id !== null || filters.action !== null;
  const set = (name: keyof typeof filters, value: string | null) =>
    setSearch(
      (old) => {
        if (value === null) old.delete(name);
        else old.set(name, value);
        return old;
      },
      { replace: true },
    );
  return (
    <>
      <Filters filters={filters} onChange={set} onClear={isFiltered ? () => setSearch({}) : null} />
      {pages.isPending && <LoadingState />}
      {pages.error && <ErrorState fault={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.isSuccess && pages.rows.length === 0 && (
        <EmptyState
          icon={IconHistory}
          title={isFiltered ? texts.noMatch : texts.noneTitle}
          description={isFiltered ? undefined : texts.noneText}
        />
      )}
      {pages.rows.length > 0 && <Entries rows={pages.rows} />}
      <LoadMore pages={pages} />
    </>
  );
}

interface FiltersProps {
  filters: { user_id: string | null; action: string | null };
  onChange: (name: 'user_id' | 'action', value: string | null) => void;
  /** Clears the filters; null when none is set. */
  onClear: (() => void) | null;
}

function Filters({ filters, onChange, onClear }: FiltersProps) {
  const facets = useGet<AuditFacets>('audit-log/facets');
  const { users = [], actions = [] } = facets.data ?? {};
  return (
    <Group gap="sm" mb="md" align="flex-end" role="search" aria-label={texts.title}>
      <Select
        label={texts.user}
        placeholder={texts.anyone}
        data={users.map(({ user_id: value, email: label }) => ({ value, label }))}
        value={filters.user_id}
        onChange={(value) => onChange('user_id', value)}
        searchable
        clearable
        w={{ base: '100%', xs: 260 }}
      />
      <Select
        label={texts.action}
        placeholder={texts.anything}
        data={actions.map((value) => ({ value, label: texts.actions[value] ?? value }))}
        value={filters.action}
        onChange={(value) => onChange('action', value)}
        searchable
        clearable
        w={{ base: '100%', xs: 240 }}
      />
      {onClear && (
        <Button variant="subtle" leftSection={<IconX size={16} aria-hidden />} onClick={onClear}>
          {texts.clear}
        </Button>
      )}
    </Group>
  );
}

function Entries({ rows }: { rows: AuditEntry[] }) {
  return (
    <Table className={classes.cards} verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.when}</Table.Th>
          <Table.Th>{texts.user}</Table.Th>
          <Table.Th>{texts.action}</Table.Th>
          <Table.Th>{texts.details}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.entry_id}>
            <Table.Td data-label={texts.when} style={{ whiteSpace: 'nowrap' }}>
              <Time at={row.occurred_at} />
            </Table.Td>
            <Table.Td data-label={texts.user} className={classes.details ?? ''}>
              {row.user_email}
            </Table.Td>
            <Table.Td data-label={texts.action}>
              <Text size="sm" fw={600}>
                {texts.actions[row.action] ?? row.action}
              </Text>
            </Table.Td>
            <Table.Td>
              <Facts details={row.details} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Facts({ details }: { details: AuditEntry['details'] }) {
  const facts = factsOf(details);
  if (facts.length === 0) return null;
  return (
    <Stack gap={2}>
      {facts.map(([name, value]) => (
        <Text key={name} size="sm" className={classes.details ?? ''}>
          <Text span size="sm" c="dimmed">
            {name}
          </Text>{' '}
          <Code dir="auto">{value}</Code>
        </Text>
      ))}
    </Stack>
  );
}

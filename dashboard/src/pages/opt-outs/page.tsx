import { Box, Button, Group, Select, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconMessageOff, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { OPT_OUT_SOURCES } from '../../../../src/recipients/domain/opt-out';
import { api } from '../../api/client';
import { notifyDone } from '../../api/notify';
import { usePages, useWrite } from '../../api/queries';
import { useCan } from '../../api/session';
import { Can } from '../../components/can';
import { ConfirmButton } from '../../components/confirm';
import { EmptyState } from '../../components/empty-state';
import { ErrorState } from '../../components/error-state';
import { ExportButton } from '../../components/export-button';
import { LoadMore } from '../../components/load-more';
import { LoadingState } from '../../components/loading-state';
import { PageHeader } from '../../components/page-header';
import { Time } from '../../components/time';
import { strings } from '../../strings';
import classes from '../settings/settings.module.css';
import { AddDialog } from './add-dialog';
import { ImportDialog } from './import-dialog';
import { KeywordsSection } from './keywords-section';
import type { OptOut } from './types';

const texts = strings.optOuts;

/** The recipients who have opted out, and the words by which they do. */
export default function OptOutsPage() {
  const [isAdding, setAdding] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const [phone, setPhone] = useState('');
  const [source, setSource] = useState<string | null>(null);
  const [search] = useDebouncedValue(phone.trim(), 300);
  const actions = (
    <>
      <ExportButton path="opt-outs/export" query={{ source }} label={texts.export} />
      <Can role="editor">
        <Button variant="default" onClick={() => setImporting(true)}>
          {texts.import}
        </Button>
      </Can>
      <Can role="editor">
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
          {texts.add}
        </Button>
      </Can>
    </>
  );
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} actions={actions} />
      <Group gap="sm" mb="md" align="flex-end" role="search" aria-label={texts.title}>
        <TextInput
          label={texts.phone}
          value={phone}
          onChange={(event) => setPhone(event.currentTarget.value)}
          maxLength={40}
          inputMode="tel"
          w={{ base: '100%', xs: 220 }}
        />
        <Select
          label={texts.source}
          placeholder={texts.anySource}
          data={OPT_OUT_SOURCES.map((value) => ({ value, label: texts.sources[value] }))}
          value={source}
          onChange={setSource}
          clearable
          w={{ base: '100%', xs: 220 }}
        />
      </Group>
      <List filter={{ phone: search || null, source }} />
      <Box mt="xl">
        <KeywordsSection />
      </Box>
      <AddDialog opened={isAdding} onClose={() => setAdding(false)} />
      <ImportDialog opened={isImporting} onClose={() => setImporting(false)} />
    </>
  );
}

function List({ filter }: { filter: { phone: string | null; source: string | null } }) {
  const pages = usePages<OptOut>('opt-outs', filter);
  const isFiltered = filter.phone !== null || filter.source !== null;
  if (pages.isPending) return <LoadingState />;
  if (pages.error) return <ErrorState fault={pages.error} onRetry={() => void pages.refetch()} />;
  if (pages.rows.length === 0) {
    return (
      <EmptyState
        icon={IconMessageOff}
        title={isFiltered ? texts.noMatch : texts.noneTitle}
        description={isFiltered ? undefined : texts.noneText}
      />
    );
  }
  return (
    <>
      <OptOutTable rows={pages.rows} />
      <LoadMore pages={pages} />
    </>
  );
}

function OptOutTable({ rows }: { rows: OptOut[] }) {
  const canEdit = useCan('editor');
  return (
    <Table className={classes.cards ?? ''} verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.phone}</Table.Th>
          <Table.Th>{texts.scope}</Table.Th>
          <Table.Th>{texts.source}</Table.Th>
          <Table.Th>{texts.reason}</Table.Th>
          <Table.Th>{texts.since}</Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.phone}>
            <Table.Td data-label={texts.phone}>
              <Text size="sm" fw={600} className="tabular" dir="ltr">
                +{row.phone}
              </Text>
            </Table.Td>
            <Table.Td data-label={texts.scope}>{texts.scopes[row.scope]}</Table.Td>
            <Table.Td data-label={texts.source}>{texts.sources[row.source]}</Table.Td>
            <Table.Td data-label={texts.reason} className={classes.details ?? ''} dir="auto">
              {row.reason}
            </Table.Td>
            <Table.Td data-label={texts.since}>
              <Time at={row.created_at} />
            </Table.Td>
            <Table.Td className={classes.actions ?? ''}>{canEdit && <Remove row={row} />}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Remove({ row: { phone } }: { row: OptOut }) {
  const remove = useWrite(() => api.delete(`opt-outs/${phone}`), {
    refresh: ['opt-outs'],
    notify: false,
    onSuccess: () => notifyDone(texts.removed(phone)),
  });
  return (
    <ConfirmButton
      size="xs"
      title={texts.removeTitle(phone)}
      message={texts.removeText}
      confirm={texts.remove}
      danger
      onConfirm={() => remove.mutateAsync()}
    >
      {texts.remove}
    </ConfirmButton>
  );
}

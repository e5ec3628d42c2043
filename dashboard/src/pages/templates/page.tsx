import { Button, Center, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconPlus, IconTemplate } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useLive } from '../../api/use-live';
import { Can } from '../../components/can';
import { EmptyState } from '../../components/empty-state';
import { PageHeader } from '../../components/page-header';
import { QueryState } from '../../components/query-state';
import { strings } from '../../strings';
import { FilterBar } from './filter-bar';
import { SyncButton, SyncedAt } from './sync-button';
import { TemplateCards, TemplateTable } from './template-table';
import type { TemplateFacets, TemplateRow } from './types';
import { useTemplateFilters } from './use-template-filters';

const texts = strings.templates;

/** Rows that are shown at first, and added at a time. */
const STEP = 100;

/** The templates of the tenant, live. */
export default function TemplatesPage() {
  const state = useTemplateFilters();
  const [limit, setLimit] = useState(STEP);
  const facets = useLive<TemplateFacets>('templates/facets');
  const rows = useLive<TemplateRow[]>('templates', { ...state.filters, limit });
  const accounts = facets.data?.business_accounts ?? [];
  return (
    <>
      <PageHeader
        title={texts.title}
        description={
          accounts.length === 1 && accounts[0] ? <SyncedAt account={accounts[0]} /> : texts.description
        }
        actions={
          <>
            <SyncButton accounts={accounts} />
            <CreateButton />
          </>
        }
      />
      <FilterBar state={state} facets={facets.data} />
      <QueryState query={rows}>
        {(data) => (
          <>
            <Rows rows={data} isFiltered={state.isActive} />
            {data.length === limit && (
              <Center mt="md">
                <Button variant="default" onClick={() => setLimit(limit + STEP)}>
                  {strings.common.loadMore}
                </Button>
              </Center>
            )}
          </>
        )}
      </QueryState>
    </>
  );
}

function Rows({ rows, isFiltered }: { rows: TemplateRow[]; isFiltered: boolean }) {
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  if (rows.length === 0) {
    return isFiltered ? (
      <EmptyState icon={IconTemplate} title={texts.noMatchTitle} description={texts.noMatchText} />
    ) : (
      <EmptyState
        icon={IconTemplate}
        title={texts.noneTitle}
        description={texts.noneText}
        action={<CreateButton />}
      />
    );
  }
  return (
    <>
      {isWide ? <TemplateTable rows={rows} /> : <TemplateCards rows={rows} />}
      <Text size="sm" c="dimmed" mt="sm">
        {texts.count(rows.length, rows.length % STEP === 0)}
      </Text>
    </>
  );
}

function CreateButton() {
  return (
    <Can role="editor" hide>
      <Button component={Link} to="/templates/new" leftSection={<IconPlus size={16} aria-hidden />}>
        {texts.create}
      </Button>
    </Can>
  );
}

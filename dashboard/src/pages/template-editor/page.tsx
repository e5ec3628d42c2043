import { Anchor, Button } from '@mantine/core';
import { IconBuilding, IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'react-router';
import { api, type Query } from '../../api/client';
import { queryKey } from '../../api/queries';
import { useCan } from '../../api/session';
import { EmptyState } from '../../components/empty-state';
import { PageHeader } from '../../components/page-header';
import { QueryState } from '../../components/query-state';
import { strings } from '../../strings';
import { EditorView } from './editor-view';
import type { EditorStart } from './types';

const { templateEditor: texts } = strings;

/** The page of `/templates/new`, also for an unfinished draft or a copy, and of `/templates/:id/edit`. */
export default function TemplateEditorPage() {
  const { key } = useLocation();
  // Typed text belongs to this visit; the key makes another visit begin again.
  return useCan('editor') ? <Opened key={key} /> : <ViewersOnly />;
}

function Opened() {
  const { id } = useParams();
  const [search] = useSearchParams();
  const [visit] = useState(() => ({
    query: {
      template_id: id,
      copy: search.get('copy'),
      language: search.get('language'),
      key: search.get('draft'),
    } satisfies Query,
    newKey: randomKey(),
  }));
  const start = useQuery<EditorStart>({
    queryKey: queryKey('template-drafts/start', visit.query),
    queryFn: ({ signal }) => api.get('template-drafts/start', { query: visit.query, signal }),
    // Read once, at the start of editing: a later read could bring back older content.
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <>
      {!start.data && <PageHeader title={id ? texts.titleEdit('…') : texts.titleNew} />}
      <QueryState query={start}>
        {(data) =>
          data.business_accounts.length === 0 ? (
            <NoAccounts />
          ) : (
            <EditorView start={data} draftKey={data.key ?? visit.newKey} />
          )
        }
      </QueryState>
    </>
  );
}

/** A random key. crypto.randomUUID is there only on https and localhost. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}

function NoAccounts() {
  return (
    <>
      <PageHeader title={texts.titleNew} />
      <EmptyState
        icon={IconBuilding}
        title={texts.noAccounts.title}
        description={texts.noAccounts.message}
        action={
          <Button component={Link} to="/numbers">
            {texts.noAccounts.link}
          </Button>
        }
      />
    </>
  );
}

function ViewersOnly() {
  return (
    <>
      <PageHeader title={texts.titleNew} />
      <EmptyState
        icon={IconLock}
        title={texts.viewer.title}
        description={texts.viewer.message}
        action={
          <Anchor component={Link} to="/templates">
            {texts.back}
          </Anchor>
        }
      />
    </>
  );
}

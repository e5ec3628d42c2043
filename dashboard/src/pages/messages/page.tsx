import { Button, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight, IconMessages, IconSend } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import { toFault } from '../../api/fault';
import { useGet } from '../../api/queries';
import { Can } from '../../components/can';
import { EmptyState } from '../../components/empty-state';
import { ErrorState } from '../../components/error-state';
import { ExportButton } from '../../components/export-button';
import { LoadingState } from '../../components/loading-state';
import { PageHeader } from '../../components/page-header';
import { strings } from '../../strings';
import { FilterBar, type SearchFaults } from './filter-bar';
import { LiveBadge, SearchedTo } from './list-notes';
import { MessageDrawer } from './message-drawer';
import { MessageCards, MessageTable } from './message-rows';
import classes from './messages.module.css';
import type { MessageChoices } from './types';
import { useFresh } from './use-fresh';
import { useMessageFilters } from './use-message-filters';
import { useMessagePage } from './use-message-page';

const texts = strings.messages;

/** The list of messages with their status; one message in a drawer beside it. */
export default function MessagesPage() {
  const { id } = useParams();
  const filters = useMessageFilters();
  const choices = useGet<MessageChoices>('messages/choices');
  const page = useMessagePage(filters.query);
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const faults = faultsOf(page.error);
  return (
    <>
      <PageHeader
        title={texts.title}
        description={texts.description}
        badges={<LiveBadge flow={page.flow} />}
        actions={<ExportButton path="messages/export" query={filters.query} label={texts.export} />}
      />
      <FilterBar filters={filters} choices={choices.data} isWide={isWide} faults={faults} />
      <MessageList
        page={page}
        filters={filters}
        choices={choices.data}
        isWide={isWide}
        isIncomplete={faults.phone !== null || faults.reference !== null}
        openId={id === undefined ? null : Number(id)}
      />
      <MessageDrawer id={id} isWide={isWide} />
    </>
  );
}

/** The service's faults about what is typed in the search. */
function faultsOf(error: Error | null): SearchFaults {
  const { details, message } = toFault(error);
  const about = (name: string) => (details.some(({ field }) => field === name) ? message : null);
  return { phone: about('phone'), reference: about('client_reference') };
}

interface MessageListProps {
  page: ReturnType<typeof useMessagePage>;
  filters: ReturnType<typeof useMessageFilters>;
  choices: MessageChoices | undefined;
  isWide: boolean;
  /** Whether what is typed in the search is not complete yet, which its field says. */
  isIncomplete: boolean;
  openId: number | null;
}

function MessageList({ page, filters, choices, isWide, isIncomplete, openId }: MessageListProps) {
  const fresh = useFresh(page.data?.messages, JSON.stringify([filters.query, page.isFirst]));
  if (isIncomplete) return null;
  if (!page.data) {
    return page.error ? (
      <ErrorState fault={page.error} onRetry={() => void page.refetch()} />
    ) : (
      <LoadingState rows={10} />
    );
  }
  const { messages, searched_to: searchedTo } = page.data;
  const nameOf = (apiId: string) =>
    choices?.numbers.find((number) => number.messaging_account_id === apiId)?.name ?? apiId;
  const Rows = isWide ? MessageTable : MessageCards;
  return (
    <>
      {messages.length > 0 && <Rows messages={messages} fresh={fresh} nameOf={nameOf} openId={openId} />}
      {messages.length === 0 && (
        <Nothing isFiltered={filters.count > 0 || !page.isFirst} isSearching={searchedTo !== null} />
      )}
      {searchedTo !== null && <SearchedTo time={searchedTo} onSearchOn={page.older} />}
      <Paging page={page} canGoOn={page.hasOlder && searchedTo === null} />
    </>
  );
}

function Nothing({ isFiltered, isSearching }: { isFiltered: boolean; isSearching: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={IconMessages}
        title={isSearching ? texts.noMatchYet : texts.noMatch}
        description={isSearching ? texts.searchOnHint : texts.noMatchText}
      />
    );
  }
  return (
    <EmptyState
      icon={IconMessages}
      title={texts.none}
      description={texts.noneText}
      action={
        <Can role="editor" hide>
          <Button component={Link} to="/send" leftSection={<IconSend size={16} aria-hidden />}>
            {texts.send}
          </Button>
        </Can>
      }
    />
  );
}

function Paging({ page, canGoOn }: { page: MessageListProps['page']; canGoOn: boolean }) {
  if (page.isFirst && !canGoOn) return null;
  return (
    <Group component="nav" justify="space-between" mt="md" aria-label={texts.paging}>
      <Button
        variant="default"
        disabled={page.isFirst}
        leftSection={<IconChevronLeft size={16} className={classes.chevron} aria-hidden />}
        onClick={page.newer}
      >
        {texts.newer}
      </Button>
      {!page.isFirst && (
        <Text size="sm" c="dimmed">
          {texts.pausedHint}
        </Text>
      )}
      <Button
        variant="default"
        disabled={!canGoOn}
        rightSection={<IconChevronRight size={16} className={classes.chevron} aria-hidden />}
        onClick={page.older}
      >
        {texts.older}
      </Button>
    </Group>
  );
}

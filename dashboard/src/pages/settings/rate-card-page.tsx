import { Button, Group, Select, Stack, Table, Text, TextInput, Tooltip } from '@mantine/core';
import { IconReceipt, IconSearch, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useGet } from '../../api/queries';
import { useUser } from '../../api/session';
import { EmptyState } from '../../components/empty-state';
import { Money } from '../../components/money';
import { PageHeader } from '../../components/page-header';
import { QueryState } from '../../components/query-state';
import { Time } from '../../components/time';
import { formatDateTime } from '../../format';
import { strings } from '../../strings';
import { LoadCard } from './load-card';
import classes from './settings.module.css';
import type { Rate, RateCard, RateCards, RateCategory } from './types';

const texts = strings.settings.rateCard;
const CATEGORIES = Object.keys(texts.categories) as RateCategory[];

/** The prices of messages, now and later; operators can replace them. */
export default function RateCardPage() {
  const { operator } = useUser();
  const [isLoading, setLoading] = useState(false);
  const cards = useGet<RateCards>('rate-cards');
  return (
    <>
      <PageHeader
        title={texts.title}
        description={
          <>
            {texts.description} {cards.data && markupText(cards.data.markup_percent)}
            {!operator && ` ${texts.operatorsOnly}`}
          </>
        }
        actions={
          operator &&
          !isLoading && (
            <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setLoading(true)}>
              {texts.load}
            </Button>
          )
        }
      />
      {isLoading ? (
        <LoadCard onDone={() => setLoading(false)} />
      ) : (
        <QueryState query={cards}>{(data) => <Cards cards={data} />}</QueryState>
      )}
    </>
  );
}

function markupText(percent: string): string {
  const plain = Number(percent);
  return plain === 0 ? texts.noMarkup : texts.markup(String(plain));
}

function Cards({ cards: { in_force: inForce, upcoming } }: { cards: RateCards }) {
  const all = [...(inForce ? [inForce] : []), ...upcoming];
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = all.find(({ rate_card_id }) => rate_card_id === chosen) ?? all[0];
  if (!shown) return <EmptyState icon={IconReceipt} title={texts.noneTitle} description={texts.noneText} />;
  return (
    <Stack>
      {all.length > 1 && (
        <Select
          label={texts.shown}
          data={all.map((card) => ({ value: String(card.rate_card_id), label: labelOf(card, inForce) }))}
          value={String(shown.rate_card_id)}
          onChange={(id) => setChosen(Number(id))}
          allowDeselect={false}
          maw={420}
        />
      )}
      <Text size="sm" c="dimmed" component="div">
        {labelOf(shown, inForce)} · {texts.loaded} <Time at={shown.loaded_at} />
      </Text>
      <Rates key={shown.rate_card_id} rates={shown.rates} />
    </Stack>
  );
}

function labelOf(card: RateCard, inForce: RateCard | null): string {
  const time = formatDateTime(card.effective_from);
  if (card !== inForce) return texts.upcoming(time);
  return Date.parse(card.effective_from) === 0 ? texts.inForce : texts.inForceSince(time);
}

function Rates({ rates }: { rates: Rate[] }) {
  const [search, setSearch] = useState('');
  const markets = byMarket(rates);
  const found = [...markets].filter(([market]) => market.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <>
      <Group align="flex-end" justify="space-between">
        <TextInput
          label={texts.search}
          placeholder={texts.searchHint}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          w={{ base: '100%', xs: 260 }}
        />
        <Text size="sm" c="dimmed">
          {texts.markets(found.length)}
        </Text>
      </Group>
      {found.length === 0 ? (
        <EmptyState icon={IconSearch} title={texts.noMatch} />
      ) : (
        <Table className={classes.cards} striped>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.market}</Table.Th>
              {CATEGORIES.map((category) => (
                <Table.Th key={category} ta="end">
                  {texts.categories[category]}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.map(([market, row]) => (
              <Table.Tr key={market}>
                <Table.Td fw={600}>{market}</Table.Td>
                {CATEGORIES.map((category) => (
                  <Table.Td key={category} ta="end" data-label={texts.categories[category]}>
                    <Amount rate={row.get(category)} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  );
}

function Amount({ rate }: { rate: Rate | undefined }) {
  if (!rate) return strings.common.none;
  return (
    <Tooltip label={`${rate.amount} ${rate.currency}`}>
      <span>
        <Money amount={rate.amount} currency={rate.currency} />
      </span>
    </Tooltip>
  );
}

function byMarket(rates: Rate[]): Map<string, Map<RateCategory, Rate>> {
  const markets = new Map<string, Map<RateCategory, Rate>>();
  for (const rate of rates) {
    const row = markets.get(rate.market) ?? new Map<RateCategory, Rate>();
    markets.set(rate.market, row.set(rate.category, rate));
  }
  return markets;
}

import { Alert, Badge, Stack, Table, Text, Title } from '@mantine/core';
import { Money } from '../../components/money';
import { ScrollRegion } from '../../components/scroll-region';
import { strings } from '../../strings';
import classes from './settings.module.css';
import type { CardComparison, RateDifference } from './types';

const texts = strings.settings.rateCard;

/** The changes by a new card, the changed rates first. */
export function CardDiff({ comparison }: { comparison: CardComparison }) {
  const { added, removed, changed, unchanged } = comparison;
  const count = { added: added.length, removed: removed.length, changed: changed.length, unchanged };
  const isSame = added.length + removed.length + changed.length === 0;
  return (
    <Stack>
      <Alert color={isSame ? 'gray' : 'blue'} role="status">
        {isSame ? texts.noChange : texts.summary(count)}
      </Alert>
      <Differences title={texts.changed} rows={changed} />
      <Differences title={texts.added} rows={added} />
      <Differences title={texts.removed} rows={removed} />
    </Stack>
  );
}

function Differences({ title, rows }: { title: string; rows: RateDifference[] }) {
  if (rows.length === 0) return null;
  return (
    <section aria-label={title}>
      <Title order={2} mb="xs">
        {title}
      </Title>
      {/* A long list scrolls in its own box, so that the button below stays near. */}
      <ScrollRegion className={classes.scroll} label={title}>
        <Table className={classes.cards} layout="fixed" stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.market}</Table.Th>
              <Table.Th>{texts.category}</Table.Th>
              <Table.Th ta="end">{texts.before}</Table.Th>
              <Table.Th ta="end">{texts.after}</Table.Th>
              <Table.Th ta="end">{texts.change}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={`${row.market} ${row.category}`}>
                <Table.Td fw={600}>{row.market}</Table.Td>
                <Table.Td data-label={texts.category}>{texts.categories[row.category]}</Table.Td>
                <Table.Td ta="end" data-label={texts.before}>
                  <Price price={row.before} />
                </Table.Td>
                <Table.Td ta="end" data-label={texts.after}>
                  <Price price={row.after} />
                </Table.Td>
                <Table.Td ta="end" data-label={texts.change}>
                  <Percent percent={row.percent} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
    </section>
  );
}

function Price({ price }: { price: RateDifference['before'] }) {
  return price ? <Money {...price} /> : <Text span>{strings.common.none}</Text>;
}

/** A change in percent: red for a higher price, green for a lower one; the sign says it too. */
function Percent({ percent }: Pick<RateDifference, 'percent'>) {
  if (percent === null) return <Text span>{strings.common.none}</Text>;
  const isDearer = !percent.startsWith('-');
  return (
    <Badge variant="light" color={isDearer ? 'red' : 'green'} className="tabular" tt="none">
      {isDearer ? `+${percent}` : percent.replace('-', '−')} %
    </Badge>
  );
}

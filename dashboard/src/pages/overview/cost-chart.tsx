import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Card, Text, Title } from '@mantine/core';
import { Money } from '../../components/money';
import { formatMoney } from '../../format';
import { strings } from '../../strings';
import { ChartCard, pointLabel } from './chart-card';
import type { CurrencyCost, Figures } from './types';

const texts = strings.overview;

const COLORS: Record<string, string> = {
  MARKETING: 'violet.5',
  UTILITY: 'blue.5',
  AUTHENTICATION: 'brand.5',
};
const CATEGORIES = Object.entries(strings.components.category);

/** The cost of messages by category, for each currency alone: currencies are never added up. */
export default function CostChart({ figures: { costs } }: { figures: Figures }) {
  if (costs.length === 0) {
    return (
      <Card withBorder component="section" aria-label={texts.cost}>
        <Title order={2}>{texts.cost}</Title>
        <Text size="sm" c="dimmed">
          {texts.noCost}
        </Text>
      </Card>
    );
  }
  return costs.map((cost) => <CurrencyChart key={cost.currency} cost={cost} isOne={costs.length === 1} />);
}

function CurrencyChart({ cost, isOne }: { cost: CurrencyCost; isOne: boolean }) {
  const { currency, amount, points } = cost;
  return (
    <ChartCard
      title={isOne ? texts.cost : texts.costIn(currency)}
      note={
        <>
          {texts.total} <Money amount={amount} currency={currency} />
        </>
      }
      chart={
        <BarChart
          h={240}
          type="stacked"
          // Only the lengths of bars are floats here; sums never are.
          data={points.map(({ point, by_category }) => ({
            point: pointLabel(point),
            ...Object.fromEntries(CATEGORIES.map(([name]) => [name, Number(by_category[name] ?? 0)])),
          }))}
          dataKey="point"
          series={CATEGORIES.map(([name, label]) => ({ name, label, color: COLORS[name] ?? 'gray.5' }))}
          withLegend
          legendProps={{ itemSorter: null }}
          yAxisProps={{ width: 72 }}
          valueFormatter={(value) => formatMoney(String(value), currency)}
          barChartProps={{ accessibilityLayer: false }}
        />
      }
      columns={CATEGORIES.map(([, label]) => label)}
      rows={points.map(({ point, by_category }) => [
        point,
        ...CATEGORIES.map(([name]) => (
          <Money key={name} amount={by_category[name] ?? '0'} currency={currency} />
        )),
      ])}
    />
  );
}

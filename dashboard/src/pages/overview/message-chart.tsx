import '@mantine/charts/styles.css';
import { AreaChart } from '@mantine/charts';
import { formatNumber } from '../../format';
import { strings } from '../../strings';
import { ChartCard, pointLabel } from './chart-card';
import type { Figures } from './types';

const texts = strings.overview;

/** Each area is a part of the one before it; failures are drawn apart. */
const SERIES = [
  { name: 'sent', label: texts.kinds.sent, color: 'gray.5' },
  { name: 'delivered', label: texts.kinds.delivered, color: 'blue.5' },
  { name: 'read', label: texts.kinds.read, color: 'brand.6' },
  { name: 'failed', label: texts.kinds.failed, color: 'red.6' },
] as const;

/** Messages that were sent, delivered, read or failed, over time. */
export default function MessageChart({ figures: { series } }: { figures: Figures }) {
  return (
    <ChartCard
      title={texts.chart}
      note={texts.chartNote}
      chart={
        <AreaChart
          h={280}
          data={series.map((point) => ({ ...point, point: pointLabel(point.point) }))}
          dataKey="point"
          series={[...SERIES]}
          curveType="monotone"
          withLegend
          legendProps={{ itemSorter: null }}
          yAxisProps={{ allowDecimals: false }}
          withDots={false}
          fillOpacity={0.15}
          valueFormatter={formatNumber}
          areaChartProps={{ accessibilityLayer: false }}
        />
      }
      columns={SERIES.map(({ label }) => label)}
      rows={series.map((point) => [point.point, ...SERIES.map(({ name }) => formatNumber(point[name]))])}
    />
  );
}

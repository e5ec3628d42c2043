import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Reads } from '../../database/reads.js';
import { type Period, periodOf, type PeriodName } from './domain/period.js';
import { type Counts, ratesOf, type TemplateCounts, warningsOf } from './domain/template-health.js';
import { FIGURES, LIVE_LIMIT, RECENT, STATE } from './overview-figures.sql.js';

const HOUR = 3_600_000;

type AllCounts = Counts & { accepted: number };

interface TemplateRow extends AllCounts, TemplateCounts {
  name: string;
  language: string;
  status: string;
}

interface Figures {
  totals: AllCounts;
  previous: AllCounts;
  series: (AllCounts & { point: string })[];
  templates: TemplateRow[];
  costs: { currency: string; point: string; category: string; amount: string }[];
  total_costs: { currency: string; amount: string; previous: string }[];
}

interface State {
  newest_at: Date | null;
  all_at: Date | null;
  has_messages: boolean;
}

const NOTHING: AllCounts = {
  accepted: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  opted_out: 0,
  capped: 0,
};

/** What became of the messages that a tenant sent within a period; they count by the hour of their acceptance. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly reads: Reads,
    private readonly clock: Clock,
  ) {}

  /** @param zone time zone of the days, an IANA name */
  async read(tenantId: string, name: PeriodName, zone: string): Promise<object> {
    const now = this.clock.now();
    const period = periodOf(name, zone, now);
    const [state] = await this.reads.of(tenantId).run<State>(STATE, [tenantId]);
    if (!state) throw new Error('The state of the counts could not be read');
    const { liveFrom, asOf } = await this.sources(tenantId, period, state, now);
    const { previousFrom, previousTo, from, unit } = period;
    const values = [tenantId, previousFrom, previousTo, liveFrom, from, unit, zone];
    const [figures] = await this.reads.of(tenantId).run<Figures>(FIGURES, values);
    if (!figures) throw new Error('The figures could not be read');
    return {
      period: name,
      zone,
      unit,
      as_of: asOf,
      // False for a while after an update from a version without counts: the first pass over all messages takes time.
      is_complete: state.all_at !== null || liveFrom <= previousFrom,
      has_messages: state.has_messages,
      totals: { ...figures.totals, ...ratesOf(figures.totals) },
      previous: { ...figures.previous, ...ratesOf(figures.previous) },
      series: seriesOf(period, figures),
      templates: figures.templates.map((template) => ({
        ...template,
        ...ratesOf(template),
        warnings: warningsOf(template, figures.templates),
      })),
      costs: figures.total_costs.map((cost) => costsOf(period, figures, cost)),
    };
  }

  /**
   * From when on messages are counted now, and up to when the figures are complete. Counting begins with the hour of
   * the last roll-up, which is still growing. With too many messages, as in a large campaign, only the roll-up is used.
   */
  private async sources(
    tenantId: string,
    { previousFrom }: Period,
    { newest_at: countedAt }: State,
    now: Date,
  ) {
    const hour = countedAt && new Date(Math.floor(countedAt.getTime() / HOUR) * HOUR);
    const liveFrom = hour ?? previousFrom;
    const [recent] = await this.reads.of(tenantId).run<{ messages: number }>(RECENT, [tenantId, liveFrom]);
    if ((recent?.messages ?? 0) <= LIVE_LIMIT) return { liveFrom, asOf: now };
    return { liveFrom: new Date(now.getTime() + HOUR), asOf: countedAt };
  }
}

function seriesOf({ points }: Period, { series }: Figures): object[] {
  const found = new Map(series.map((entry) => [entry.point, entry]));
  return points.map((point) => ({ ...NOTHING, ...found.get(point), point }));
}

/** The cost of one currency by category, for every point. */
function costsOf(
  { points }: Period,
  { costs }: Figures,
  { currency, amount, previous }: Figures['total_costs'][number],
) {
  const categories = new Map<string, Record<string, string>>();
  for (const cost of costs) {
    if (cost.currency !== currency) continue;
    categories.set(cost.point, { ...categories.get(cost.point), [cost.category]: cost.amount });
  }
  return {
    currency,
    amount,
    previous_amount: previous,
    points: points.map((point) => ({ point, by_category: categories.get(point) ?? {} })),
  };
}

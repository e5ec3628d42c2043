import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../common/clock.js';
import type { Statement } from '../database/database.js';
import { Reads } from '../database/reads.js';
import type { MessageError } from '../messages/domain/message-error.js';
import { shownStatus } from '../messages/lists/message-row.js';
import type { CampaignRow } from './campaign.store.js';

/** Seconds over which the rate of sending is measured. */
const RATE_SPAN = 10;

/** Seconds after the start before the end is estimated from the rate. */
const RATE_LEAST = 3;

/** An answer is kept ten times as long as it took to read: all viewers together cost a tenth of a connection. */
const KEEP_FACTOR = 10;
const KEEP_LEAST = 900;

/** How far a campaign has come. */
export interface CampaignProgress {
  /** Messages by status, without auto-retries: these are counted in `auto_retries` only. */
  messages: Record<string, number>;
  auto_retries: number;
  /** Messages sent per second, measured over the last seconds. */
  rate: number;
  /** Seconds until all are sent at that rate; null when nothing moves, or has not moved for long enough to tell. */
  seconds_left: number | null;
  /** What makes its messages wait. */
  holds: { scope: string; cause: string; error: MessageError; created_at: Date }[];
}

/** Counts the messages of campaigns. */
@Injectable()
export class CampaignProgressService {
  private readonly counts = new LRUCache<number, Counts>({ max: 1_000 });

  constructor(
    private readonly reads: Reads,
    private readonly clock: Clock,
  ) {}

  async of(campaign: CampaignRow): Promise<CampaignProgress> {
    const { messages, auto_retries, recent } = await this.count(campaign);
    const holds = await this.reads
      .of(campaign.tenant_id)
      .run<CampaignProgress['holds'][number]>(HOLDS, [campaign.id]);
    const waiting = ['scheduled', 'queued', 'sending'].reduce((sum, name) => sum + (messages[name] ?? 0), 0);
    const left = toAccept(campaign) + waiting;
    const running = (this.clock.now().getTime() - (campaign.started_at?.getTime() ?? 0)) / 1_000;
    const rate = recent / Math.min(RATE_SPAN, Math.max(1, running));
    const isMoving = campaign.status === 'running' && rate > 0 && running > RATE_LEAST;
    return { messages, auto_retries, rate, seconds_left: isMoving ? Math.ceil(left / rate) : null, holds };
  }

  /** An index scan of the campaign's messages: some 100 ms for 100,000, so it is done seldom for large ones. */
  private async count({ id, tenant_id: tenantId }: CampaignRow): Promise<Counts> {
    const known = this.counts.get(id);
    if (known) return known;
    const begun = performance.now();
    const now = this.clock.now();
    const since = new Date(now.getTime() - RATE_SPAN * 1_000);
    const rows = await this.reads.of(tenantId).run<CountRow>(COUNT, [id, now, since]);
    const originals = rows.filter(({ retry }) => !retry);
    const counts = {
      messages: Object.fromEntries(originals.map(({ status, count }) => [status, count])),
      auto_retries: rows.filter(({ retry }) => retry).reduce((sum, { count }) => sum + count, 0),
      recent: rows.reduce((sum, { recent }) => sum + recent, 0),
    };
    const ttl = Math.max(KEEP_LEAST, (performance.now() - begun) * KEEP_FACTOR);
    this.counts.set(id, counts, { ttl });
    return counts;
  }
}

interface Counts {
  messages: Record<string, number>;
  auto_retries: number;
  recent: number;
}

interface CountRow {
  status: string;
  retry: boolean;
  count: number;
  recent: number;
}

/** How many rows may still be accepted. */
function toAccept({ verdict, accepted_count, refused_count }: CampaignRow): number {
  return Math.max(0, (verdict?.good ?? 0) - accepted_count - refused_count);
}

export const COUNT: Statement = {
  name: 'campaign_count',
  text: `
    SELECT ${shownStatus('$2')} AS status, m.campaign_row IS NULL AS retry, count(*) AS count,
      count(*) FILTER (WHERE m.sent_at > $3) AS recent
    FROM message_logs m WHERE m.campaign_id = $1 GROUP BY 1, 2`,
};

/** The holds on a campaign's template, number and business account. */
const HOLDS: Statement = {
  name: 'campaign_holds',
  text: `
    SELECT h.scope, h.cause, h.error, h.created_at
    FROM campaigns c JOIN messaging_accounts n ON n.id = c.messaging_account_id
    LEFT JOIN templates t ON t.business_account_id = n.business_account_id AND t.name = c.template_name
      AND t.language = c.language AND t.removed_at IS NULL
    JOIN holds h ON h.lifted_at IS NULL AND (h.scope, h.target_id) IN
      (('number', n.id::text), ('business_account', n.business_account_id::text), ('template', t.id::text))
    WHERE c.id = $1 AND c.status IN ('running', 'paused') ORDER BY h.id`,
};

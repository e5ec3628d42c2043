import { Injectable } from '@nestjs/common';
import type { Queryable } from '../database/database.js';
import { MAX_REASON } from '../recipients/domain/opt-out.js';
import { isKeyword } from '../recipients/domain/opt-out-keywords.js';
import { OptOutKeywordsService } from '../recipients/opt-out-keywords.service.js';
import { OptOutsService, type ToldOptOut } from '../recipients/opt-outs.service.js';
import { list, phoneOf, text, timeOf } from './domain/wire-values.js';
import type { InboundMessage } from './domain/read-webhook.js';
import { WebhookMetrics } from './webhook-metrics.js';

/** A message of a recipient to a tenant. */
export interface ReceivedMessage {
  tenantId: string;
  message: InboundMessage;
}

/** What recipients want of a tenant's messages: preferences that they have set at the provider, and texts that say so. */
@Injectable()
export class RecipientWishesService {
  constructor(
    private readonly optOuts: OptOutsService,
    private readonly keywords: OptOutKeywordsService,
    private readonly metrics: WebhookMetrics,
  ) {}

  /** Of several preferences of a recipient, the last one counts. Users without a phone number are only counted. */
  async followPreferences(
    tenantId: string,
    value: Record<string, unknown>,
    occurredAt: Date,
    connection: Queryable,
  ): Promise<void> {
    const told = list(value['user_preferences']).map((preference) => ({
      tenant_id: tenantId,
      phone: phoneOf(preference['wa_id']),
      wish: preference['value'],
      reason: text(preference['detail'])?.slice(0, MAX_REASON) ?? null,
      created_at: earlier(timeOf(preference['timestamp']), occurredAt),
      isAboutMarketing: (preference['category'] ?? 'marketing_messages') === 'marketing_messages',
    }));
    for (const { wish } of told) this.metrics.preference(wish);
    const known = told.filter(({ phone, isAboutMarketing }) => isPhone(phone) && isAboutMarketing);
    const inOrder = known.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime());
    const last = [...new Map(inOrder.map((one) => [one.phone, one])).values()];
    const stops = last.filter(({ wish }) => wish === 'stop');
    await this.optOuts.keep(
      stops.map(({ tenant_id, phone, reason, created_at }): ToldOptOut => {
        return { tenant_id, phone, scope: 'marketing', source: 'provider', reason, created_at };
      }),
      connection,
    );
    await this.optOuts.liftProviders(
      last
        .filter(({ wish }) => wish === 'resume')
        .map(({ tenant_id, phone, created_at }) => ({ tenant_id, phone, resumed_at: created_at })),
      connection,
    );
  }

  /** A text that is one of the tenant's keywords opts its sender out of marketing. */
  async followTexts(received: ReceivedMessage[], connection: Queryable): Promise<void> {
    const texts = received.filter(({ message: { from, text: said } }) => isPhone(from) && said !== null);
    if (texts.length === 0) return;
    const words = await this.keywords.of([...new Set(texts.map(({ tenantId }) => tenantId))], connection);
    const stops = texts.flatMap(({ tenantId, message: { from, text: said, occurredAt } }): ToldOptOut[] => {
      if (!isKeyword(said as string, words.get(tenantId)?.keywords ?? [])) return [];
      const opted = { tenant_id: tenantId, phone: from as string, created_at: occurredAt };
      return [{ ...opted, scope: 'marketing', source: 'keyword', reason: said?.trim() ?? null }];
    });
    await this.optOuts.keep(stops, connection);
  }
}

/** A number of E.164: others cannot be sent to. */
const isPhone = (digits: string | null): digits is string => /^[1-9]\d{4,14}$/.test(digits ?? '');

/** The moment that is told, but for one in the future. */
const earlier = (told: Date | null, known: Date): Date => (told && told < known ? told : known);

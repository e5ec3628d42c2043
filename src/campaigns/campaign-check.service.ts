import { Injectable } from '@nestjs/common';
import { Decimal } from 'decimal.js';
import { Clock } from '../common/clock.js';
import { ApiError } from '../common/errors.js';
import { unlessFaulty } from '../common/faults.js';
import { RequestValidationPipe } from '../http/validation.pipe.js';
import { normalizePhone, takesMarketing } from '../recipients/domain/phone.js';
import { SendMessageDto } from '../messages/dto/send-message.dto.js';
import { MessagesService } from '../messages/messages.service.js';
import type { OptOutScope } from '../recipients/domain/opt-out.js';
import { optedOut, OptOutsService } from '../recipients/opt-outs.service.js';
import type { TemplateContent } from '../templates/domain/template-content.js';
import { type SendableTemplate, TemplatesService } from '../templates/templates.service.js';
import { type CampaignRow, CampaignStore, type TemplateRevision } from './campaign.store.js';
import type { CampaignVerdict, RowFault } from './domain/campaign-status.js';
import { fillRow, mappingFaults } from './domain/mapping.js';
import { faultOfRow } from './domain/row-refusal.js';
import { bodyOf } from './row-message.js';
import { type JudgedRow, type RecipientView, RecipientsStore } from './recipients.store.js';

/** Rows checked between two writes. A row takes some 0.2 ms of the process, and others are served in between. */
const BATCH = 100;

/** Totals of a check that is under way. */
interface Tally {
  bad: number;
  good: number;
  optedOut: number;
  /** Good rows with a number of the United States. */
  american: number;
  costs: Map<string, Decimal>;
  /** The row that has a phone, by its digits. */
  phones: Map<string, number>;
}

/** Judges every row of a draft by the rules of a send before anything is sent. */
@Injectable()
export class CampaignCheckService {
  private readonly shape = new RequestValidationPipe();

  constructor(
    private readonly campaigns: CampaignStore,
    private readonly recipients: RecipientsStore,
    private readonly templates: TemplatesService,
    private readonly messages: MessagesService,
    private readonly optOuts: OptOutsService,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws ApiError VALIDATION_FAILED for an incomplete mapping, CONFLICT when the draft is changed meanwhile, and the
   * errors that a send would give for the account and the template
   */
  async check(campaign: CampaignRow): Promise<void> {
    const template = await this.requireTemplate(campaign);
    const { content, category } = template;
    if (campaign.file_name === null) throw new ApiError('CONFLICT', 'Upload a file of recipients first.');
    const details = mappingFaults(content, campaign.mapping, campaign.columns ?? []).map(
      ({ key, message }) => ({ field: `mapping.${key}`, message }),
    );
    if (details.length > 0)
      throw new ApiError('VALIDATION_FAILED', 'Some parts of the message have no source yet.', details);
    const { american, ...found } = await this.judgeRows(campaign, template);
    const verdict = { ...found, category, us_marketing: category === 'MARKETING' ? american : 0 };
    if (!(await this.campaigns.judged(campaign, verdict, template)))
      throw new ApiError('CONFLICT', 'The campaign was changed while it was checked; check it again.');
  }

  /**
   * The template as it may be sent now, of the business account that the number had when the campaign was read.
   * @throws ApiError TEMPLATE_NOT_FOUND, TEMPLATE_PAUSED
   */
  async requireTemplate(campaign: CampaignRow): Promise<SendableTemplate> {
    const { business_account_id: accountId, template_name: name, language } = campaign;
    return this.templates.findSendable(accountId, name, language);
  }

  /** Whether two templates make the same messages. Samples do not matter: a clone in another account has its own. */
  async saySame(one: TemplateRevision, other: TemplateRevision): Promise<boolean> {
    const texts = await this.campaigns.contents([one, other]);
    const [first, second] = texts.map((text) => JSON.stringify(text, leaveOutSamples));
    return texts.length === 2 && first === second;
  }

  private async judgeRows(
    campaign: CampaignRow,
    template: SendableTemplate,
  ): Promise<CampaignVerdict & { american: number }> {
    const tally: Tally = { good: 0, bad: 0, optedOut: 0, american: 0, costs: new Map(), phones: new Map() };
    let rows: RecipientView[];
    let after = 0;
    do {
      rows = await this.recipients.page(campaign.id, BATCH, after);
      const judged: JudgedRow[] = [];
      const optedOutOf = await this.optOutsAmong(campaign, template, rows);
      // One after the other, as the first row with a phone is good and later ones are duplicates.
      for (const row of rows)
        judged.push(await this.judgeRow(campaign, template.content, row, { tally, optedOutOf }));
      await this.recipients.judge(campaign.id, judged);
      after = rows.at(-1)?.row_number ?? after;
    } while (rows.length === BATCH);
    const costs = [...tally.costs].map(([currency, amount]) => ({ currency, amount: amount.toFixed(6) }));
    const { good, bad, optedOut: opted_out, american } = tally;
    return { good, bad, opted_out, american, costs, checked_at: this.clock.now().toISOString() };
  }

  private async judgeRow(
    campaign: CampaignRow,
    content: TemplateContent,
    { row_number, cells }: RecipientView,
    { tally, optedOutOf }: { tally: Tally; optedOutOf: Map<string, OptOutScope> },
  ): Promise<JudgedRow> {
    const filled = fillRow(content, campaign.mapping, cells);
    const faulty = (fault: RowFault, phone: string | null = null): JudgedRow => {
      tally.bad += 1;
      return { row_number, phone, fault };
    };
    const asRowFault = (error: ApiError) =>
      faultOfRow(error, filled, { ...campaign, columns: campaign.columns ?? [] });
    try {
      const body = bodyOf(campaign, filled);
      await this.shape.transform(body, { type: 'body', metatype: SendMessageDto });
      const { phone, cost, currency } = await this.messages.check({ tenantId: campaign.tenant_id }, body);
      const scope = optedOutOf.get(phone);
      if (scope) {
        tally.optedOut += 1;
        return { row_number, phone, fault: asRowFault(optedOut(scope)) };
      }
      const first = tally.phones.get(phone);
      if (first !== undefined) return faulty(duplicate(campaign, first), phone);
      tally.phones.set(phone, row_number);
      tally.costs.set(currency, new Decimal(cost).plus(tally.costs.get(currency) ?? 0));
      tally.good += 1;
      if (!takesMarketing(normalizePhone(phone))) tally.american += 1;
      return { row_number, phone, fault: null };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      return faulty(asRowFault(error));
    }
  }

  /** The recipients of these rows who have opted out, by their phones, in one look. */
  private optOutsAmong(
    { tenant_id: tenantId, mapping }: CampaignRow,
    { content, category }: SendableTemplate,
    rows: RecipientView[],
  ): Promise<Map<string, OptOutScope>> {
    const phones = rows.flatMap(({ cells }) => {
      const phone = unlessFaulty(
        () => undefined, // told where the row is judged
        () => normalizePhone(fillRow(content, mapping, cells).phone),
      );
      return phone ? [phone.digits] : [];
    });
    return this.optOuts.among(tenantId, phones, category);
  }
}

/** A replacer for JSON.stringify. The texts can be compared, as PostgreSQL always orders fields of jsonb the same. */
function leaveOutSamples(key: string, value: unknown): unknown {
  return key === 'example' ? undefined : value;
}

function duplicate({ mapping, columns }: CampaignRow, first: number): RowFault {
  const source = mapping['phone'];
  const column = source && 'column' in source ? columns?.[source.column] : undefined;
  const message = `Row ${first} has the same phone number.`;
  return { code: 'DUPLICATE_PHONE', message, slot: 'phone', ...(column !== undefined && { column }) };
}

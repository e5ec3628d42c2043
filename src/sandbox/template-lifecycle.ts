import type { TemplateCategory, WireWebhookChange } from '../provider/wire.js';
import type { SandboxSettings } from './sandbox-options.js';
import type { SandboxState, TemplateRecord } from './sandbox-state.js';
import {
  type StatusDetails,
  categoryChange,
  componentsChange,
  qualityChange,
  statusChange,
} from './template-webhooks.js';
import type { Timers } from './timers.js';
import type { WebhookSender } from './webhook-sender.js';

/** The events of `message_template_status_update`. */
export const STATUS_EVENTS = [
  'APPROVED',
  'REJECTED',
  'PENDING',
  'PAUSED',
  'DISABLED',
  'FLAGGED',
  'REINSTATED',
  'IN_APPEAL',
  'PENDING_DELETION',
  'DELETED',
  'LIMIT_EXCEEDED',
  'LOCKED',
  'ARCHIVED',
  'UNARCHIVED',
];

export const QUALITY_SCORES = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'];

const HOUR = 3600 * 1000;
/** How long low quality pauses a template: the first time, the second; the third disables it. */
const PAUSES = [
  { title: 'FIRST_PAUSE', length: 3 * HOUR },
  { title: 'SECOND_PAUSE', length: 6 * HOUR },
];

/** What happens to a template on the provider's side, each change told by its webhook. */
export class TemplateLifecycle {
  constructor(
    private readonly state: SandboxState,
    private readonly webhooks: WebhookSender,
    private readonly timers: Timers,
    private readonly settings: SandboxSettings,
  ) {}

  /** Ends the review of a PENDING template after the review delay. It is rejected if its name contains "reject". */
  review(record: TemplateRecord): void {
    this.timers.after(this.settings.reviewDelay, () => {
      if (!record.reviewing || !this.exists(record)) return;
      if (record.template.name.includes('reject')) {
        this.setStatus(record, 'REJECTED', { reason: 'INVALID_FORMAT' });
        return;
      }
      const wasEdited = record.edited;
      this.setStatus(record, 'APPROVED');
      if (wasEdited) this.tell(record, componentsChange(record.template));
    });
  }

  /** Applies one of {@link STATUS_EVENTS} and sends its webhook. */
  setStatus(record: TemplateRecord, event: string, details: StatusDetails = {}): void {
    const { template } = record;
    const title = details.title ?? this.titleOf(record, event);
    record.reviewing = false;
    record.edited = false;
    if (event === 'PAUSED') record.pauses += 1;
    if (event === 'ARCHIVED' && template.status !== event) record.statusBeforeArchive = template.status;
    if (event !== 'FLAGGED') record.isLocked = event === 'LOCKED';
    template.status = statusAfter(event, record);
    template.rejected_reason = event === 'REJECTED' ? (details.reason ?? 'INVALID_FORMAT') : 'NONE';
    if (event === 'DELETED') this.state.removeTemplate(record, this.settings.clock.now().getTime());
    this.state.onChange();
    this.tell(record, statusChange(template, event, { ...details, title }, this.settings.clock.now()));
  }

  /** Sets the quality; RED pauses an approved template for 3 h, then for 6 h, the third time it is disabled. */
  setQuality(record: TemplateRecord, score: string): void {
    const previous = record.template.quality_score?.score ?? 'UNKNOWN';
    const date = Math.floor(this.settings.clock.now().getTime() / 1000);
    record.template.quality_score = { score, date };
    this.state.onChange();
    this.tell(record, qualityChange(record.template, previous, score));
    if (score === 'RED' && record.template.status === 'APPROVED') this.pauseForQuality(record);
  }

  /** Changes the category and drops the time to live; with `warning`, only announces the change for 24 h later. */
  setCategory(record: TemplateRecord, category: TemplateCategory, warning = false): void {
    const { template } = record;
    const previous = template.category;
    if (warning) {
      this.tell(record, categoryChange(template, { next: previous, correct: category }));
      return;
    }
    template.category = category;
    template.previous_category = previous;
    template.message_send_ttl_seconds = null;
    this.state.onChange();
    this.tell(record, categoryChange(template, { previous, next: category }));
  }

  private pauseForQuality(record: TemplateRecord): void {
    const pause = PAUSES[record.pauses];
    if (!pause) {
      this.setStatus(record, 'DISABLED');
      return;
    }
    this.setStatus(record, 'PAUSED');
    const count = record.pauses;
    this.timers.after(pause.length, () => {
      const isSamePause = record.template.status === 'PAUSED' && record.pauses === count;
      if (isSamePause && this.exists(record)) this.setStatus(record, 'APPROVED');
    });
  }

  private titleOf(record: TemplateRecord, event: string): string | undefined {
    if (event === 'PAUSED') return PAUSES[Math.min(record.pauses, 1)]?.title;
    if (event === 'DISABLED') return 'DISABLED';
    return event === 'APPROVED' && record.template.status === 'PAUSED' ? 'UNPAUSE' : undefined;
  }

  private exists({ template }: TemplateRecord): boolean {
    return this.state.templates.has(template.id);
  }

  private tell(record: TemplateRecord, change: WireWebhookChange): void {
    const account = this.state.accounts.get(record.wabaId);
    if (account) this.webhooks.send(account, change);
  }
}

/** The status that the list shows after an event; a FLAGGED template is only warned, and a LOCKED one not edited. */
function statusAfter(event: string, { template, statusBeforeArchive }: TemplateRecord): string {
  if (event === 'FLAGGED' || event === 'LOCKED') return template.status;
  if (event === 'UNARCHIVED') return statusBeforeArchive ?? template.status;
  return event === 'REINSTATED' ? 'APPROVED' : event;
}

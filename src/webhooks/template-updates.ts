import { Injectable } from '@nestjs/common';
import { HoldsService } from '../messages/holds.service.js';
import { mapTemplateStatus } from '../templates/domain/template-status.js';
import { type StoredTemplate, TemplateStore } from '../templates/template.store.js';
import { TemplateSyncService } from '../templates/template-sync.service.js';
import type { FieldUpdate } from './domain/read-webhook.js';

/** Events of message_template_status_update after which the provider's own list says what the template is now. */
const ASK_THE_PROVIDER = new Set(['IN_APPEAL', 'PENDING_DELETION', 'LIMIT_EXCEEDED']);

type Apply = (
  businessAccountId: string,
  template: StoredTemplate,
  value: Record<string, unknown>,
  occurredAt: Date | null,
) => Promise<void>;

/** Keeps templates as the provider's webhooks describe them. */
@Injectable()
export class TemplateUpdates {
  private readonly fields: Record<string, Apply> = {
    message_template_status_update: (...update) => this.changeStatus(...update),
    message_template_quality_update: (account, template, value) =>
      this.templates.setQuality(account, template.id, String(value['new_quality_score'] ?? 'UNKNOWN')),
    template_category_update: (account, template, value) => this.changeCategory(account, template, value),
    // The update carries some components only, and none of the examples: the list has them all.
    message_template_components_update: async (account) => this.sync.refresh(account),
  };

  constructor(
    private readonly templates: TemplateStore,
    private readonly sync: TemplateSyncService,
    private readonly holds: HoldsService,
  ) {}

  /** @returns false when the update is about something else */
  async apply(businessAccountId: string, { field, value, occurredAt }: FieldUpdate): Promise<boolean> {
    const apply = this.fields[field];
    if (!apply) return false;
    const template = await this.templates.find(businessAccountId, {
      providerTemplateId: String(value['message_template_id'] ?? ''),
      name: String(value['message_template_name'] ?? ''),
      language: String(value['message_template_language'] ?? ''),
    });
    if (template) await apply(businessAccountId, template, value, occurredAt);
    else this.sync.refresh(businessAccountId);
    return true;
  }

  private async changeStatus(
    account: string,
    template: StoredTemplate,
    value: Record<string, unknown>,
    occurredAt: Date | null,
  ): Promise<void> {
    const event = String(value['event'] ?? '');
    const status = mapTemplateStatus(event, template.status);
    if (status === 'DELETED') return this.templates.remove(account, template.id);
    const isNews = await this.templates.setStatus(account, template.id, {
      status,
      providerStatus: event,
      reason: reasonOf(value),
      occurredAt,
    });
    if (!isNews) return;
    // What waits goes out or fails for good; under a pause it goes on waiting. Also where the template has that status
    // already: a sync may have seen it first, or two updates have come in the wrong order.
    if (mapTemplateStatus(event, 'PAUSED') !== 'PAUSED')
      await this.holds.liftFor('template', String(template.id), 'webhook');
    if (ASK_THE_PROVIDER.has(event)) this.sync.refresh(account);
  }

  /** With `correct_category` it is only a warning of what will happen in 24 hours. */
  private async changeCategory(
    account: string,
    template: StoredTemplate,
    value: Record<string, unknown>,
  ): Promise<void> {
    const category = String(value['new_category'] ?? '').toUpperCase();
    if (value['correct_category'] || !['MARKETING', 'UTILITY', 'AUTHENTICATION'].includes(category)) return;
    await this.templates.setCategory(account, template.id, category);
  }
}

function reasonOf(value: Record<string, unknown>): string | null {
  const rejection = value['rejection_info'] as { reason?: unknown } | undefined;
  const other = value['other_info'] as { title?: unknown; description?: unknown } | undefined;
  const reason = value['reason'] === 'NONE' ? undefined : value['reason'];
  const words = rejection?.reason ?? other?.description ?? other?.title ?? reason;
  return typeof words === 'string' && words !== '' ? words : null;
}

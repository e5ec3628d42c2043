import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import type { Queryable } from '../database/database.js';
import { CategoryChangesService } from '../templates/category-changes.service.js';
import { mapTemplateStatus } from '../templates/domain/template-status.js';
import { type StoredTemplate, TemplateStore } from '../templates/template.store.js';
import { TemplateSyncService } from '../templates/template-sync.service.js';
import type { UpdatedAccount } from './account-updates.service.js';
import { readCategoryUpdate } from './domain/category-update.js';
import type { FieldUpdate } from './domain/read-webhook.js';
import { textOf, word } from './domain/wire-values.js';

/** Events of message_template_status_update after which the template's state has to be read from the provider. */
const ASK_THE_PROVIDER = new Set(['IN_APPEAL', 'PENDING_DELETION', 'LIMIT_EXCEEDED', 'LOCKED', 'UNARCHIVED']);

/** An update with the template that it is about, and the transaction that it is part of. */
interface Update {
  account: UpdatedAccount;
  template: StoredTemplate;
  value: Record<string, unknown>;
  occurredAt: Date | null;
  connection: Queryable;
}

/** Updates templates by the provider's webhooks. */
@Injectable()
export class TemplateUpdatesService {
  private readonly fields: Record<string, (update: Update) => Promise<void>> = {
    message_template_status_update: (update) => this.changeStatus(update),
    message_template_quality_update: async ({ account, template, value, occurredAt }) => {
      const quality = word(value['new_quality_score'] ?? 'UNKNOWN');
      if (quality !== null) await this.templates.setQuality(account.id, template.id, quality, occurredAt);
    },
    template_category_update: (update) => this.changeCategory(update),
    // The update carries some components only, and none of the examples: the list has them all.
    message_template_components_update: async ({ account }) => this.sync.refresh(account.id),
  };

  constructor(
    private readonly templates: TemplateStore,
    private readonly sync: TemplateSyncService,
    private readonly categoryChanges: CategoryChangesService,
    private readonly clock: Clock,
  ) {}

  /** @returns false when the update is about something else */
  async apply(
    account: UpdatedAccount,
    { field, value, occurredAt }: FieldUpdate,
    connection: Queryable,
  ): Promise<boolean> {
    const apply = Object.hasOwn(this.fields, field) ? this.fields[field] : undefined;
    if (!apply) return false;
    const template = await this.templates.find(account.id, {
      providerTemplateId: textOf(value['message_template_id']),
      name: textOf(value['message_template_name']),
      language: textOf(value['message_template_language']),
    });
    if (template) await apply({ account, template, value, occurredAt, connection });
    else this.sync.refresh(account.id);
    return true;
  }

  private async changeStatus({ account, template, value, occurredAt }: Update): Promise<void> {
    const event = word(value['event']);
    if (event === null) return;
    // UNARCHIVED restores the status from before the archiving; every other event starts from the present status.
    const restored = event === 'UNARCHIVED' ? template.status_before_archive : null;
    const status = mapTemplateStatus(event, restored ?? template.status);
    if (status === 'DELETED') return this.templates.remove(account.id, template.id);
    const isNews = await this.templates.setStatus(account.id, template.id, {
      status,
      providerStatus: event,
      reason: reasonOf(value),
      occurredAt,
    });
    if (isNews && ASK_THE_PROVIDER.has(event)) this.sync.refresh(account.id);
  }

  private async changeCategory({ account, template, value, occurredAt, connection }: Update): Promise<void> {
    const saidAt = occurredAt ?? this.clock.now();
    const update = readCategoryUpdate(value, saidAt);
    if (update.kind === 'unreadable') return;
    const category = update.kind === 'changed' ? update.to : null;
    const isNews = await this.templates.setCategory(account.id, template.id, category, occurredAt);
    if (!isNews) return;
    if (update.kind === 'announced' && update.to !== template.category) {
      const change = { from: template.category, to: update.to, at: update.at, saidAt };
      return this.categoryChanges.announce(account, template, change, connection);
    }
    await this.categoryChanges.end(template.id, connection);
  }
}

function reasonOf(value: Record<string, unknown>): string | null {
  const rejection = value['rejection_info'] as { reason?: unknown } | undefined;
  const other = value['other_info'] as { title?: unknown; description?: unknown } | undefined;
  const reason = value['reason'] === 'NONE' ? undefined : value['reason'];
  const words = rejection?.reason ?? other?.description ?? other?.title ?? reason;
  return typeof words === 'string' && words !== '' ? words : null;
}

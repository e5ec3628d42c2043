import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { AccountsService, type BusinessAccountSecrets } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import { ApiError } from '../common/errors.js';
import { ProviderClient } from '../provider/provider.client.js';
import { ProviderError } from '../provider/provider-error.js';
import { toComponents } from './domain/draft-components.js';
import { hasSameContent } from './domain/same-content.js';
import type { TemplateDraft } from './domain/template-draft.js';
import { timeToLiveChange } from './domain/time-to-live.js';
import { checkEdit, checkRules } from './draft-checks.js';
import { providerForm } from './provider-form.js';
import { toRefusal } from './provider-refusal.js';
import { accountOf } from './template-account.js';
import { TemplateEditsService } from './template-edits.service.js';
import { TemplateStore } from './template.store.js';
import { TemplateSyncService } from './template-sync.service.js';
import { Template } from './template.entity.js';

/** A template of the same name and content that is younger, in milliseconds, counts as the one just submitted. */
const REPEAT_WINDOW = 10 * 60 * 1000;

/** The provider's subcodes that may mean that it had accepted the same request of ours before. */
const NAME_EXISTS = 2388024;
const STATUS_IN_THE_WAY = 2388039;
const NOT_THERE = 2593002;

/** The result of a submission. */
export interface Submitted {
  /** Null when the provider has taken it but could not be asked for it yet: the next sync brings it. */
  template: Template | null;
  /** Whether it was accepted before: after a double click, or when the first answer was lost. */
  isRepeat: boolean;
}

/** Creates, edits and deletes templates at the provider, and then updates the stored ones. */
@Injectable()
export class TemplateAuthorService {
  private readonly logger = new Logger(TemplateAuthorService.name);

  constructor(
    @InjectRepository(Template) private readonly templates: Repository<Template>,
    private readonly accounts: AccountsService,
    private readonly provider: ProviderClient,
    private readonly store: TemplateStore,
    private readonly sync: TemplateSyncService,
    private readonly edits: TemplateEditsService,
    private readonly clock: Clock,
  ) {}

  /**
   * A template of the tenant that the provider still has.
   * @throws ApiError TEMPLATE_NOT_FOUND, for another tenant's too
   */
  async find(tenantId: string, id: number): Promise<Template> {
    const template = await this.templates.findOneBy({ id, tenantId, removedAt: IsNull() });
    if (template) return template;
    throw new ApiError('TEMPLATE_NOT_FOUND', 'There is no such template, or it has been deleted.');
  }

  /**
   * Submits a new template for review. Repeating it is harmless.
   * @throws ApiError VALIDATION_FAILED with the faults at their fields, the provider's among them
   */
  async create(tenantId: string, businessAccountId: string, draft: TemplateDraft): Promise<Submitted> {
    checkRules(draft);
    const account = await accountOf(this.accounts, tenantId, businessAccountId);
    const { name, language, category, parameter_format, message_send_ttl_seconds: timeToLive = null } = draft;
    const components = toComponents(draft);
    const wire = {
      name,
      language,
      category,
      parameter_format,
      ...(timeToLive !== null && { message_send_ttl_seconds: timeToLive }),
      components,
    };
    try {
      await this.provider.createTemplate(account, account.wabaId, wire);
    } catch (error) {
      const earlier = mayBeDone(error, NAME_EXISTS) && (await this.findRecent(account, draft));
      if (!earlier) throw toRefusal(error, draft);
      return { template: earlier, isRepeat: isSubcode(error, NAME_EXISTS) };
    }
    return { template: await this.readBack(account, draft), isRepeat: false };
  }

  /**
   * Replaces the content of a template, and its category where that is allowed. Repeating it is harmless.
   * @throws ApiError TEMPLATE_NOT_FOUND; VALIDATION_FAILED as for `create`, or with what forbids the edit
   */
  async edit(tenantId: string, id: number, draft: TemplateDraft): Promise<Submitted> {
    const template = await this.find(tenantId, id);
    const rules = await this.edits.rulesOf(template);
    // Read again: the other request of a double click may have made this edit, and is counted only after its read-back.
    const now = await this.find(tenantId, id);
    if (isEdited(template, now, draft)) return { template: now, isRepeat: true };
    checkEdit(template, rules, draft);
    checkRules(draft);
    const account = await accountOf(this.accounts, tenantId, template.businessAccountId);
    const isRepeat = await this.submitEdit(account, template, draft);
    const edited = await this.readBack(account, draft);
    if (!isRepeat) await this.edits.count(template);
    return { template: edited ?? template, isRepeat };
  }

  /**
   * Deletes a template in one language or, with `allLanguages`, every template of its name. If the provider no longer
   * has it, it is deleted here all the same.
   * @returns what was deleted
   */
  async remove(
    tenantId: string,
    id: number,
    { allLanguages }: { allLanguages: boolean },
  ): Promise<Template[]> {
    const template = await this.find(tenantId, id);
    const { name, businessAccountId, providerTemplateId: templateId } = template;
    const account = await accountOf(this.accounts, tenantId, businessAccountId);
    try {
      await this.provider.deleteTemplate(account, account.wabaId, {
        name,
        ...(!allLanguages && { templateId }),
      });
    } catch (error) {
      if (!isSubcode(error, NOT_THERE)) throw toRefusal(error);
    }
    const where = { businessAccountId, name, removedAt: IsNull() };
    const doomed = allLanguages ? await this.templates.findBy(where) : [template];
    for (const one of doomed) await this.store.remove(businessAccountId, one.id);
    return doomed;
  }

  /** @returns whether the provider had taken the edit before */
  private async submitEdit(
    account: BusinessAccountSecrets,
    template: Template,
    draft: TemplateDraft,
  ): Promise<boolean> {
    const { category } = draft;
    const timeToLive = timeToLiveChange(providerForm(template), draft);
    const changes = {
      components: toComponents(draft),
      ...(category !== template.category && { category }),
      ...(timeToLive !== undefined && { message_send_ttl_seconds: timeToLive }),
    };
    try {
      await this.provider.editTemplate(account, template.providerTemplateId, changes);
      return false;
    } catch (error) {
      const now = mayBeDone(error, STATUS_IN_THE_WAY) && (await this.readBack(account, draft));
      if (!now || !isEdited(template, now, draft)) throw toRefusal(error, draft);
      return isSubcode(error, STATUS_IN_THE_WAY);
    }
  }

  /** The template of the draft's name and content, if it was created within REPEAT_WINDOW. */
  private async findRecent(account: BusinessAccountSecrets, draft: TemplateDraft): Promise<Template | null> {
    const template = await this.readBack(account, draft);
    const oldest = this.clock.now().getTime() - REPEAT_WINDOW;
    return template && template.createdAt.getTime() >= oldest && isOf(template, draft) ? template : null;
  }

  /** Syncs, and returns the template of the draft's name and language as it is then stored; null when there is none. */
  private async readBack(
    { id: businessAccountId }: BusinessAccountSecrets,
    { name, language }: TemplateDraft,
  ): Promise<Template | null> {
    try {
      await this.sync.sync(businessAccountId);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.logger.warn(`Template ${name} was submitted, but not read back: ${error.message}`);
      this.sync.refresh(businessAccountId);
    }
    return this.templates.findOneBy({ businessAccountId, name, language, removedAt: IsNull() });
  }
}

/** Whether the provider may have done what was asked in spite of the error, now or at an earlier try. */
function mayBeDone(error: unknown, subcode: number): boolean {
  return isSubcode(error, subcode) || (error instanceof ProviderError && error.errorClass === 'unknown');
}

function isSubcode(error: unknown, subcode: number): boolean {
  return error instanceof ProviderError && (error.subcode === subcode || error.code === subcode);
}

/** Whether the template has got the draft's content since it was first read, or is in review with that content. */
function isEdited(before: Template, now: Template, draft: TemplateDraft): boolean {
  return isOf(now, draft) && (now.providerStatus === 'PENDING' || !isOf(before, draft));
}

function isOf(template: Template, draft: TemplateDraft): boolean {
  return hasSameContent(providerForm(template), draft);
}

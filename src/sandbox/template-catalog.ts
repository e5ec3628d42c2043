import type { WireTemplate, WireTemplateComponent, WireTemplateCreated } from '../provider/wire.js';
import { authenticationContent } from './authentication-content.js';
import { RULES, draftFault } from './draft-fault.js';
import { GraphError } from './graph-error.js';
import { newObjectId } from './ids.js';
import type { SandboxSettings } from './sandbox-options.js';
import type { SandboxAccount, SandboxState, TemplateRecord } from './sandbox-state.js';
import { isObject } from './send-request.js';
import type { TemplateLifecycle } from './template-lifecycle.js';
import { checkCategory, checkContent, checkDraft, checkTimeToLive } from './template-rules.js';
import { checkSamples } from './template-samples.js';

const DEFAULT_TEMPLATE_LIMIT = 6000;
const EDITABLE = new Set(['APPROVED', 'REJECTED', 'PAUSED']);
const DAY = 24 * 3600 * 1000;
const MOST_EDITS_IN_30_DAYS = 10;
/** Milliseconds for which the name of a deleted template cannot be used again in its language. */
const NAME_KEPT = 30 * DAY;

/** Creates, edits and deletes templates for the account's owner, under the provider's rules. */
export class TemplateCatalog {
  constructor(
    private readonly state: SandboxState,
    private readonly lifecycle: TemplateLifecycle,
    private readonly settings: SandboxSettings,
  ) {}

  /** Seeds a template as given, unchecked and without a webhook. An existing one of that name and language stays. */
  seed(wabaId: string, template: Omit<WireTemplate, 'id'> & { id?: string }): WireTemplate {
    const known = this.state.findTemplate(wabaId, template.name, template.language);
    if (known) return known.template;
    const seeded = { ...structuredClone(template), id: template.id ?? newObjectId() };
    return this.state.putTemplate(wabaId, seeded).template;
  }

  /** Takes a draft for review. Throws code 100 with the subcode of the rule it breaks. */
  create(account: SandboxAccount, body: unknown): WireTemplateCreated {
    const draft = checkDraft(body);
    if (this.state.findTemplate(account.wabaId, draft.name, draft.language)) {
      throw draftFault(...RULES.exists, `There is already a template ${draft.name} in ${draft.language}.`);
    }
    const deletedAt = this.state.deletedAt(account.wabaId, draft.name, draft.language) ?? -Infinity;
    if (deletedAt > this.now() - NAME_KEPT) {
      throw draftFault(
        ...RULES.deleted,
        `New ${draft.language} content can't be added to ${draft.name} while the existing content is being deleted. ` +
          'Try again in 4 weeks or create a new message template.',
      );
    }
    checkSamples(this.state, account.wabaId, draft.components);
    const limit = account.templateLimit ?? DEFAULT_TEMPLATE_LIMIT;
    if (this.state.templatesOf(account.wabaId).length >= limit) {
      throw draftFault(...RULES.limit, `This account may have ${limit} templates. Delete one first.`);
    }
    const template: WireTemplate = {
      id: newObjectId(),
      name: draft.name,
      language: draft.language,
      status: 'PENDING',
      category: draft.category,
      parameter_format: draft.parameter_format === 'NAMED' ? 'NAMED' : 'POSITIONAL',
      rejected_reason: 'NONE',
      message_send_ttl_seconds: draft.message_send_ttl_seconds ?? null,
      components: finish(draft.category, draft.components, draft.language),
    };
    this.lifecycle.review(this.state.putTemplate(account.wabaId, template, true));
    return { id: template.id, status: template.status, category: template.category };
  }

  /** Replaces all components, the category, the time to live or several of them, then reviews it again. Throws code 100. */
  edit(
    record: TemplateRecord,
    change: unknown,
  ): { success: true; id: string; name: string; category: string } {
    const { template } = record;
    if (!isObject(change)) throw new GraphError(100, 'The request body must be a JSON object.');
    this.checkEditable(record);
    const category = this.categoryAfter(template, change.category);
    const timeToLive = timeToLiveAfter(template, category, change.message_send_ttl_seconds);
    const { parameter_format = template.parameter_format } = change;
    const content = { parameter_format, category, components: change.components ?? template.components };
    const components = checkContent(content);
    checkSamples(this.state, record.wabaId, components);
    template.components = finish(category, components, template.language);
    template.category = category;
    template.message_send_ttl_seconds = timeToLive;
    template.parameter_format = parameter_format === 'NAMED' ? 'NAMED' : 'POSITIONAL';
    this.startReview(record);
    return { success: true, id: template.id, name: template.name, category };
  }

  /** Deletes one language (by id and name) or every language of a name. Throws code 100 when there is none. */
  remove(account: SandboxAccount, name: unknown, id: unknown): { success: true } {
    if (typeof name !== 'string' || name === '') throw new GraphError(100, 'The parameter name is required.');
    const doomed = this.state
      .templatesOf(account.wabaId)
      .filter(({ template }) => template.name === name && (id === undefined || template.id === id));
    if (doomed.length === 0) {
      throw new GraphError(100, 'Message Template Not Found', {
        subcode: 2593002,
        userTitle: 'Message Template Not Found',
        userMessage: `There is no template ${name.slice(0, 512)} that could be deleted.`,
      });
    }
    for (const record of doomed) this.lifecycle.setStatus(record, 'DELETED');
    return { success: true };
  }

  private startReview(record: TemplateRecord): void {
    if (record.template.status === 'APPROVED') record.edits.push(this.now());
    record.template.status = 'PENDING';
    record.reviewing = true;
    record.edited = true;
    this.state.onChange();
    this.lifecycle.review(record);
  }

  private checkEditable({ template, edits, isLocked }: TemplateRecord): void {
    if (isLocked || !EDITABLE.has(template.status)) {
      const status = isLocked ? 'LOCKED' : template.status;
      throw draftFault(...RULES.status, `A template that is ${status} cannot be edited.`);
    }
    if (template.status !== 'APPROVED') return;
    const recent = edits.filter((time) => time > this.now() - 30 * DAY);
    const isTooSoon = recent.some((time) => time > this.now() - DAY);
    if (!isTooSoon && recent.length < MOST_EDITS_IN_30_DAYS) return;
    throw draftFault(
      ...RULES.status,
      'An approved template can be edited once in 24 hours and 10 times in 30 days.',
    );
  }

  private categoryAfter(template: WireTemplate, wanted: unknown): WireTemplate['category'] {
    if (wanted === undefined || wanted === template.category) return template.category;
    if (template.status === 'APPROVED') {
      throw draftFault(...RULES.status, 'The category of an approved template cannot be changed.');
    }
    checkCategory(wanted);
    return wanted as WireTemplate['category'];
  }

  private now(): number {
    return this.settings.clock.now().getTime();
  }
}

/** The time to live after an edit. If none is given, the present one stays, unless the category changes. */
function timeToLiveAfter(template: WireTemplate, category: string, wanted: unknown): number | null {
  if (wanted === undefined || wanted === null) {
    return category === template.category ? (template.message_send_ttl_seconds ?? null) : null;
  }
  checkTimeToLive(category, wanted);
  return wanted as number;
}

function finish(
  category: string,
  components: WireTemplateComponent[],
  language: string,
): WireTemplateComponent[] {
  return category === 'AUTHENTICATION' ? authenticationContent(components, language) : components;
}

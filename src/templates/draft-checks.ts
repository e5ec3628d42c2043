import { ApiError, type ErrorDetail } from '../common/errors.js';
import { draftFaultText } from './domain/draft-faults.js';
import { fromTemplate } from './domain/draft-from-template.js';
import { checkDraft } from './domain/draft-rules.js';
import { EDIT_REFUSAL_TEXTS, type EditRules, type Permission } from './domain/edit-rules.js';
import type { TemplateDraft } from './domain/template-draft.js';
import { providerForm } from './provider-form.js';
import type { Template } from './template.entity.js';

/**
 * Checks the provider's published limits, before the provider is asked.
 * @throws ApiError VALIDATION_FAILED, one detail for each fault
 */
export function checkRules(draft: TemplateDraft): void {
  const faults = checkDraft(draft).filter(({ severity }) => severity === 'error');
  if (faults.length === 0) return;
  const details = faults.map((fault) => ({ field: fault.field, message: draftFaultText(fault) }));
  throw new ApiError('VALIDATION_FAILED', messageOf(details), details);
}

/**
 * Checks that the draft changes only what may be changed, and drops no part that a draft cannot hold.
 * @throws ApiError VALIDATION_FAILED
 */
export function checkEdit(template: Template, rules: EditRules, draft: TemplateDraft): void {
  const { name, language, category } = template;
  const { unsupported } = fromTemplate(providerForm(template));
  const changes: [field: string, isChanged: boolean, permission: Permission][] = [
    ['status', true, rules.content],
    ['name', draft.name !== name, rules.name],
    ['language', draft.language !== language, rules.language],
    ['category', draft.category !== category, rules.category],
  ];
  const details: ErrorDetail[] = changes.flatMap(([field, isChanged, permission]) =>
    isChanged && !permission.allowed ? [{ field, message: EDIT_REFUSAL_TEXTS[permission.reason] }] : [],
  );
  if (unsupported.length > 0) {
    details.push({ message: `The editor cannot keep ${unsupported.join(', ')}: edit it at the provider.` });
  }
  if (details.length > 0) throw new ApiError('VALIDATION_FAILED', messageOf(details), details);
}

function messageOf([first, ...rest]: ErrorDetail[]): string {
  const where = first?.field ? `${first.field}: ` : '';
  return `${where}${String(first?.['message'])}${rest.length > 0 ? ` (and ${rest.length} more)` : ''}`;
}

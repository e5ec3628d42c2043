import { fromTemplate, type StoredTemplate } from './draft-from-template.js';
import type { TemplateDraft } from './template-draft.js';
import { lifeOf } from './time-to-live.js';

/**
 * Whether a template has the draft's texts and time to live, so that it may be the result of submitting the draft.
 * Samples are not compared: the provider keeps a copy of a file under an address of its own.
 */
export function hasSameContent(template: StoredTemplate, draft: TemplateDraft): boolean {
  if (JSON.stringify(said(fromTemplate(template).draft)) !== JSON.stringify(said(draft))) return false;
  // With another category than the draft's, the provider has chosen another time to live, too.
  if (template.category !== draft.category || draft.message_send_ttl_seconds === undefined) return true;
  return lifeOf(template) === lifeOf(draft);
}

function said({ category, header, body, footer, buttons, authentication }: TemplateDraft): unknown {
  if (category === 'AUTHENTICATION') {
    const { add_security_recommendation: advice, code_expiration_minutes: minutes } = authentication;
    return { category, advice, minutes };
  }
  return {
    category: 'other', // the provider changes it as it sees fit
    header: [header.kind, header.kind === 'text' ? header.text.trim() : ''],
    body: body.trim(),
    footer: footer.trim(),
    buttons: buttons.map((button) => [
      button.type,
      'text' in button ? button.text.trim() : '',
      button.type === 'url' ? button.url.trim() : '',
      button.type === 'phone_number' ? button.phone_number.replaceAll(/\D/g, '') : '',
    ]),
  };
}

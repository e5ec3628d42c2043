import { describe, expect, it } from '@jest/globals';
import { toComponents } from './draft-components.js';
import { hasSameContent } from './same-content.js';
import { emptyDraft, type TemplateDraft } from './template-draft.js';

const draft = (changes: Partial<TemplateDraft> = {}): TemplateDraft => ({
  ...emptyDraft(),
  name: 'parcel',
  language: 'en',
  body: 'Hello {{1}}, it is here.',
  body_samples: { 1: 'Ana' },
  buttons: [{ type: 'phone_number', text: 'Call', phone_number: '+1 415 555 0123' }],
  ...changes,
});
const stored = (of: TemplateDraft, changes: object = {}) => ({
  name: of.name,
  language: of.language,
  category: of.category,
  components: toComponents(of),
  ...changes,
});

describe('A template has the content of a draft', () => {
  it('from which it was made, whatever the samples, the blanks and the category that the provider chose', () => {
    expect(hasSameContent(stored(draft()), draft())).toBe(true);
    expect(hasSameContent(stored(draft()), draft({ body_samples: { 1: 'Bob' } }))).toBe(true);
    expect(hasSameContent(stored(draft()), draft({ body: ' Hello {{1}}, it is here.\n' }))).toBe(true);
    expect(hasSameContent(stored(draft(), { category: 'MARKETING' }), draft())).toBe(true);
  });

  it('with the same time to live or with none, and with any time in another category', () => {
    const brief = { message_send_ttl_seconds: 60 };
    const { message_send_ttl_seconds: _, ...silent } = draft();
    expect(hasSameContent(stored(draft(), brief), draft(brief))).toBe(true);
    expect(hasSameContent(stored(draft(), brief), silent)).toBe(true);
    expect(hasSameContent(stored(draft(), { message_send_ttl_seconds: -1 }), draft())).toBe(true);
    expect(hasSameContent(stored(draft(), { category: 'MARKETING' }), draft(brief))).toBe(true);
    expect(hasSameContent(stored(draft(), brief), draft())).toBe(false);
    expect(hasSameContent(stored(draft()), draft(brief))).toBe(false);
  });

  it('only when the draft says the same', () => {
    expect(hasSameContent(stored(draft()), draft({ body: 'Hello' }))).toBe(false);
    expect(hasSameContent(stored(draft()), draft({ footer: 'Bye' }))).toBe(false);
    expect(hasSameContent(stored(draft()), draft({ buttons: [] }))).toBe(false);
    expect(hasSameContent(stored(draft()), draft({ category: 'AUTHENTICATION' }))).toBe(false);
  });
});

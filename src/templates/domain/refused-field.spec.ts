import { describe, expect, it } from '@jest/globals';
import { refusedField } from './refused-field.js';
import { emptyDraft, type HeaderKind } from './template-draft.js';

const draft = (kind: HeaderKind = 'none') => ({ ...emptyDraft(), header: { ...emptyDraft().header, kind } });

describe('A refusal of the provider is about', () => {
  it.each([
    ['the name that exists', { subcode: 2388024 }, 'name'],
    ['a body of the wrong form', { subcode: 2388072 }, 'body'],
    ['a footer of the wrong form', { subcode: 2388073 }, 'footer'],
    ['variables at the edges', { subcode: 2388299 }, 'body'],
    [
      'a label that is too long',
      { subcode: 2388040, message: 'A button label has 30 characters.' },
      'buttons',
    ],
    ['a footer that is too long', { subcode: 2388040, message: 'The footer has 61 characters.' }, 'footer'],
    ['a name', { title: 'Template name is not valid', message: 'Names have letters.' }, 'name'],
    ['a time to live', { message: 'Invalid message_send_ttl_seconds' }, 'message_send_ttl_seconds'],
    ['a language', { title: 'Template language is not valid' }, 'language'],
    ['buttons', { title: 'Buttons are not valid', message: 'A URL button needs a text.' }, 'buttons'],
    ['too many templates', { subcode: 2388019, message: 'The name of this account …' }, null],
    ['a status', { subcode: 2388039, message: 'The category cannot be changed.' }, null],
    ['something else', { message: 'Try it another way.' }, null],
  ])('%s', (_what, refusal, field) => {
    expect(refusedField(refusal, draft())).toBe(field);
  });

  it.each([
    ['text', 'header.text'],
    ['image', 'header.media_handle'],
    ['location', 'header'],
  ] as const)('the part of a %s header that is edited', (kind, field) => {
    expect(refusedField({ subcode: 2388047 }, draft(kind))).toBe(field);
  });
});

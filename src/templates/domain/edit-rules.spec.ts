import { describe, it, expect } from '@jest/globals';
import { editRules, type EditedTemplate } from './edit-rules.js';

const now = new Date('2026-03-10T12:00:00Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const rulesOf = (changes: Partial<EditedTemplate>) =>
  editRules(
    { status: 'APPROVED', providerStatus: changes.status ?? 'APPROVED', category: 'UTILITY', ...changes },
    now,
  );
const refused = (reason: string, until: Date | null = null) => ({ allowed: false, reason, until });

describe('The edit rules', () => {
  it.each(['REJECTED', 'PAUSED'] as const)(
    'allow a change of content and category of a %s template',
    (status) => {
      expect(rulesOf({ status, lastEditedAt: hoursAgo(1), editsIn30Days: 10 })).toMatchObject({
        content: { allowed: true },
        category: { allowed: true },
      });
    },
  );

  it.each(['PENDING', 'DISABLED'] as const)('allow no change of a %s template', (status) => {
    const { content, category } = rulesOf({ status });
    expect([content, category]).toEqual([refused('status'), refused('status')]);
  });

  it.each(['LOCKED', 'IN_APPEAL', 'PENDING_DELETION', 'LIMIT_EXCEEDED', 'ARCHIVED'])(
    'allow no change of a template that the provider calls %s',
    (providerStatus) => {
      expect(rulesOf({ status: 'REJECTED', providerStatus }).content).toEqual(refused('status'));
    },
  );

  it.each(['FLAGGED', 'REINSTATED', 'UNARCHIVED'])(
    'allow a change of an approved template that the provider calls %s, as often as of any',
    (providerStatus) => {
      expect(rulesOf({ providerStatus })).toMatchObject({
        content: { allowed: true },
        category: refused('approved_category'),
      });
      expect(rulesOf({ providerStatus, editsIn30Days: 10 }).content).toEqual(refused('edited_too_often'));
    },
  );

  it('allow a change of the content of an approved template, but not of its category', () => {
    expect(rulesOf({})).toMatchObject({ content: { allowed: true }, category: refused('approved_category') });
  });

  it('allow one edit of an approved template in 24 hours, and say when the next is allowed', () => {
    const { content } = rulesOf({ lastEditedAt: hoursAgo(23) });
    expect(content).toEqual(refused('edited_in_last_day', new Date('2026-03-10T13:00:00Z')));
    expect(rulesOf({ lastEditedAt: hoursAgo(24) }).content).toEqual({ allowed: true });
  });

  it('allow 10 edits of an approved template in 30 days', () => {
    expect(rulesOf({ editsIn30Days: 9 }).content).toEqual({ allowed: true });
    expect(rulesOf({ editsIn30Days: 10 }).content).toEqual(refused('edited_too_often'));
  });

  it('never allow a change of name or language', () => {
    const { name, language } = rulesOf({ status: 'REJECTED' });
    expect([name, language]).toEqual([refused('identity'), refused('identity')]);
  });
});

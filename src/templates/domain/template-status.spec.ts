import { describe, it, expect } from '@jest/globals';
import { mapTemplateStatus, TEMPLATE_STATUSES, type TemplateStatus } from './template-status.js';

describe('mapTemplateStatus', () => {
  it.each(TEMPLATE_STATUSES)('keeps %s, whatever the template was before', (status) => {
    expect(mapTemplateStatus(status)).toBe(status);
    expect(TEMPLATE_STATUSES.map((previous) => mapTemplateStatus(status, previous))).toEqual(
      TEMPLATE_STATUSES.map(() => status),
    );
  });

  it.each([
    ['REINSTATED', 'DISABLED', 'APPROVED'],
    ['ARCHIVED', 'APPROVED', 'DISABLED'],
    ['DELETED', 'APPROVED', 'DELETED'],
  ] as const)('reads %s after %s as %s', (event, previous, expected) => {
    expect(mapTemplateStatus(event, previous)).toBe(expected);
    expect(mapTemplateStatus(event)).toBe(expected);
  });

  it.each([
    'FLAGGED',
    'IN_APPEAL',
    'PENDING_DELETION',
    'LIMIT_EXCEEDED',
    'LOCKED',
    'UNARCHIVED',
    'SOMETHING_NEW',
  ])('leaves a template as it was on %s', (event) => {
    for (const previous of TEMPLATE_STATUSES) expect(mapTemplateStatus(event, previous)).toBe(previous);
  });

  it.each<[string, TemplateStatus]>([
    ['FLAGGED', 'APPROVED'],
    ['IN_APPEAL', 'REJECTED'],
    ['PENDING_DELETION', 'DISABLED'],
    ['LIMIT_EXCEEDED', 'PENDING'],
    ['LOCKED', 'APPROVED'],
    ['UNARCHIVED', 'PENDING'],
    ['SOMETHING_NEW', 'PENDING'],
    ['', 'PENDING'],
    ['constructor', 'PENDING'],
  ])('reads %p of a template never seen before as %s', (event, expected) => {
    expect(mapTemplateStatus(event)).toBe(expected);
  });

  it('ignores letter case and blanks, and does not fail on a value that is no text', () => {
    expect(mapTemplateStatus(' approved ')).toBe('APPROVED');
    expect(mapTemplateStatus(undefined as unknown as string)).toBe('PENDING');
  });
});

import { describe, expect, it } from '@jest/globals';
import { readTag, writeTag } from './message-tag.js';

const INSTALLATION = '0123456789abcdef';

describe('The tag of a message', () => {
  it('is read as it was written', () => {
    expect(readTag(writeTag(INSTALLATION, 42))).toEqual({ installation: INSTALLATION, messageLogId: 42 });
  });

  it('is the bare id in older versions', () => {
    expect(readTag('42')).toEqual({ installation: null, messageLogId: 42 });
  });

  it.each([
    ['absent', undefined],
    ['a number', 42],
    ["another system's", 'order-42'],
    ['negative', '-1'],
    ['longer than an id can be', '9'.repeat(20)],
    ['without an id', `tms:${INSTALLATION}:`],
    ['with an installation of another form', 'tms:mine:42'],
    ['with more behind it', `tms:${INSTALLATION}:42:1`],
  ])('is none when it is %s', (_what, text) => {
    expect(readTag(text)).toBeNull();
  });
});

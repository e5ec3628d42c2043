import { describe, expect, it } from '@jest/globals';
import { mayGoOn } from './body-time.js';

const KIB = 1024;

describe('After the time for a body, a body', () => {
  it.each([
    ['of the API is refused, however much has come', false, 200 * KIB, 0, false],
    ['of the API is refused, though some of it waits to be read', false, 200 * KIB, 100, false],
    ['of an upload may go on while enough comes', true, 64 * KIB, 0, true],
    ['of an upload is refused when it trickles', true, 64 * KIB - 1, 0, false],
    ['of an upload is refused when nothing more comes', true, 0, 0, false],
    ['of an upload may go on while the service itself is slow to read', true, 0, 1, true],
  ])('%s', (_case, isUpload, came, waiting, goesOn) => {
    expect(mayGoOn({ isUpload, came, waiting })).toBe(goesOn);
  });
});

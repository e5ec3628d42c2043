import { describe, expect, it } from '@jest/globals';
import { mayGoOn } from './body-time.js';

const KIB = 1024;

describe('A body that is not complete in its time', () => {
  it.each([
    ['of the API, however much has come', false, 200 * KIB, 0, false],
    ['of the API, though some waits to be taken', false, 200 * KIB, 100, false],
    ['of an upload that comes', true, 64 * KIB, 0, true],
    ['of an upload that trickles', true, 64 * KIB - 1, 0, false],
    ['of an upload that has stopped', true, 0, 0, false],
    ['of an upload that the service lets wait', true, 0, 1, true],
  ])('%s', (_case, isUpload, came, waiting, goesOn) => {
    expect(mayGoOn({ isUpload, came, waiting })).toBe(goesOn);
  });
});

import { describe, expect, it } from '@jest/globals';
import { Environment } from '../config/environment.js';
import { noticeOf, VERSION_ENDS } from './api-versions.js';

const at = (time: string) => new Date(time);

describe('The notice of a version that ends', () => {
  it.each([
    ['is not given 91 days before', '2027-07-09T23:59:59Z', null],
    ['is given 90 days before', '2027-07-10T00:00:00Z', 'ends on 2027-10-08, in 90 days.'],
    ['names the days that are left', '2027-10-06T12:00:00Z', 'ends on 2027-10-08, in 2 days.'],
    ['is given to the last moment', '2027-10-07T23:59:59Z', 'ends on 2027-10-08, within a day.'],
  ])('%s', (_case, now, words) => {
    const notice = noticeOf('v23.0', at(now));
    expect(notice).toEqual(
      words && {
        hasEnded: false,
        text: `Version v23.0 of the provider's API ${words} Set PROVIDER_API_VERSION to a newer one.`,
      },
    );
  });

  it.each(['2027-10-08T00:00:00Z', '2029-01-01T00:00:00Z'])('says at %s that it has ended', (now) => {
    expect(noticeOf('v23.0', at(now))).toEqual({
      hasEnded: true,
      text: expect.stringContaining('ended on 2027-10-08'),
    });
  });

  it('is not given for a version whose end is not known', () => {
    expect(noticeOf('v99.0', at('2099-01-01T00:00:00Z'))).toBeNull();
  });
});

describe('The table of versions', () => {
  it('has the default one, and later days for newer versions', () => {
    const ends = Object.values(VERSION_ENDS);
    expect(VERSION_ENDS).toHaveProperty([new Environment().PROVIDER_API_VERSION]);
    expect(ends).toEqual(ends.toSorted());
  });
});

import { describe, expect, it } from '@jest/globals';
import { countedAddress } from './counted-address.js';

describe('A caller', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:50123', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::1', '::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:50123', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('from "%s" is counted as "%s"', (address, counted) => expect(countedAddress(address)).toBe(counted));
});

import { describe, expect, it } from '@jest/globals';
import { mayCall, urlFault } from './endpoint-address.js';

const PUBLIC = { loopback: false };
const SANDBOX = { loopback: true };

describe('The addresses that events may be posted to', () => {
  it.each(['93.184.216.34', '8.8.8.8', '2606:2800:220:1:248:1893:25c8:1946', '64:ff9b::808:808'])(
    '%s is public',
    (address) => {
      expect(mayCall(address, PUBLIC)).toBe(true);
    },
  );

  it.each([
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '100.100.100.200',
    '169.254.169.254',
    '168.63.129.16',
    '192.0.0.192',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '2002:7f00:1::',
    '2001:db8::1',
    'not an address',
  ])('%s is not', (address) => {
    expect(mayCall(address, PUBLIC)).toBe(false);
  });

  it('are loopback ones too in the sandbox, and no other private ones', () => {
    expect(['127.0.0.1', '::1', '::ffff:127.0.0.1'].map((address) => mayCall(address, SANDBOX))).toEqual([
      true,
      true,
      true,
    ]);
    expect(mayCall('10.0.0.1', SANDBOX)).toBe(false);
    expect(mayCall('64:ff9b::7f00:1', SANDBOX)).toBe(false);
  });
});

describe('The URL of an endpoint', () => {
  it.each(['https://example.com/hooks', 'https://example.com:8443/hooks?a=b', 'https://93.184.216.34/'])(
    'may be %s',
    (url) => {
      expect(urlFault(url, PUBLIC)).toBeNull();
    },
  );

  it.each([
    'example.com',
    '/hooks',
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://user:secret@example.com/',
    'https://127.0.0.1/',
    'https://2130706433/', // 127.0.0.1 as one number
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
  ])('may not be %s', (url) => {
    expect(urlFault(url, PUBLIC)).not.toBeNull();
  });

  it('may begin with http for a loopback address of the sandbox only', () => {
    expect(urlFault('http://127.0.0.1:4000/', SANDBOX)).toBeNull();
    expect(urlFault('http://localhost:4000/', SANDBOX)).toBeNull();
    expect(urlFault('http://[::1]:4000/', SANDBOX)).toBeNull();
    expect(urlFault('http://127.0.0.1:4000/', PUBLIC)).not.toBeNull();
    expect(urlFault('http://example.com/', SANDBOX)).not.toBeNull();
    expect(urlFault('http://10.0.0.1/', SANDBOX)).not.toBeNull();
  });
});

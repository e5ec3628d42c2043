import { describe, expect, it } from '@jest/globals';
import { urlsOfHosts } from './database-url.js';

describe('The address of a database', () => {
  it.each([
    ['one host', 'postgres://u:p@h:5433/db', ['postgres://u:p@h:5433/db']],
    ['a host without a port', 'postgresql://h/db', ['postgresql://h/db']],
    [
      'several hosts, each with a port of its own',
      'postgres://u@h1:5433,h2,h3:5434/db',
      ['postgres://u@h1:5433/db', 'postgres://u@h2/db', 'postgres://u@h3:5434/db'],
    ],
    [
      'one host of which writes are asked',
      'postgres://u@h/db?target_session_attrs=read-write',
      ['postgres://u@h/db'],
    ],
    [
      'parameters of which some are for the choice of a host',
      'postgres://h1,h2/db?sslmode=no-verify&target_session_attrs=primary',
      ['postgres://h1/db?sslmode=no-verify', 'postgres://h2/db?sslmode=no-verify'],
    ],
    [
      'a password with escaped characters',
      'postgres://u:a%40b%2Cc%2F@h1,h2/db',
      ['postgres://u:a%40b%2Cc%2F@h1/db', 'postgres://u:a%40b%2Cc%2F@h2/db'],
    ],
    [
      'addresses of IPv6',
      'postgres://u@[::1]:5433,[2001:db8::1]/db',
      ['postgres://u@[::1]:5433/db', 'postgres://u@[2001:db8::1]/db'],
    ],
  ])('may have %s', (_what, url, urls) => {
    expect(urlsOfHosts(url)).toEqual(urls);
  });

  it.each([
    ['of another database', 'mysql://h1,h2/db'],
    ['without a host', 'postgres:///db'],
    ['with an empty host', 'postgres://h1,,h2/db'],
    ['with a comma at its end', 'postgres://h1,/db'],
    ['with a port that is none', 'postgres://h1:5432,h2:port/db'],
    ['with a port out of range', 'postgres://h1:5432,h2:70000/db'],
    ['with two users', 'postgres://u@h1,u@h2/db'],
    ['that asks for standbys', 'postgres://h1,h2/db?target_session_attrs=standby'],
    ['that asks for any server', 'postgres://h1,h2/db?target_session_attrs=any'],
    ['that asks twice', 'postgres://h1,h2/db?target_session_attrs=read-write&target_session_attrs=read-only'],
  ])('is refused %s', (_what, url) => {
    expect(urlsOfHosts(url)).toBeNull();
  });
});

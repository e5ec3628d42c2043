import { isURL } from 'class-validator';

/** A server, a node of a cluster or a sentinel. */
export interface RedisAddress {
  host: string;
  port: number;
}

interface Login {
  username?: string;
  password?: string;
}

/** Where Redis is, and how to get in. `tls` is true for `rediss`. */
export type RedisTarget =
  | { kind: 'server'; href: string }
  | ({ kind: 'cluster'; tls: boolean; nodes: RedisAddress[] } & Login)
  | ({ kind: 'sentinel'; tls: boolean; sentinels: RedisAddress[]; master: string; database: number } & Login);

const FORMS =
  'REDIS_URL must be redis://user:password@host:6379/0, redis+cluster://user:password@host:6379,host:6379 or ' +
  'redis+sentinel://user:password@host:26379,host:26379/master-name/0; with rediss in place of redis for TLS';

const SEVERAL = /^(redis|rediss)\+(cluster|sentinel):\/\/([^/]*)(\/.*)?$/i;
const HOST = /^(?:\[(?<ipv6>[\da-f:.]+)\]|(?<name>[\w.-]+))(?::(?<port>\d{1,5}))?$/i;

const DEFAULT_PORTS = { cluster: 6379, sentinel: 26_379 } as const;

/** What is wrong with a REDIS_URL; its message says what to do and has no part of the value, which may be a password. */
export class RedisUrlError extends Error {}

/**
 * Reads a REDIS_URL.
 * @throws RedisUrlError
 */
export function parseRedisUrl(url: string): RedisTarget {
  if (/[?#]/.test(url)) fail('has parameters (? or #), and takes none; in a password they are %3F and %23');
  const [, scheme = '', kind = '', authority = '', path = ''] = SEVERAL.exec(url) ?? [];
  if (!kind) return serverOf(url);
  const at = authority.lastIndexOf('@');
  const login = loginOf(at === -1 ? '' : authority.slice(0, at));
  const tls = scheme.toLowerCase() === 'rediss';
  if (kind.toLowerCase() === 'cluster') {
    if (!/^(\/0?)?$/.test(path)) fail('of a cluster ends with its hosts: a cluster has database 0 only');
    return { kind: 'cluster', tls, nodes: addressesOf(authority.slice(at + 1), 'cluster'), ...login };
  }
  const sentinels = addressesOf(authority.slice(at + 1), 'sentinel');
  return { kind: 'sentinel', tls, sentinels, ...masterOf(path), ...login };
}

/** The message of the fault in a REDIS_URL; null when there is none. */
export function redisUrlFault(url: unknown): string | null {
  try {
    if (typeof url !== 'string') return FORMS;
    parseRedisUrl(url);
    return null;
  } catch (error) {
    if (error instanceof RedisUrlError) return error.message;
    throw error;
  }
}

function serverOf(url: string): RedisTarget {
  const rules = {
    protocols: ['redis', 'rediss'],
    require_protocol: true,
    require_tld: false,
    allow_underscores: true,
  };
  if (!isURL(url, rules)) throw new RedisUrlError(FORMS);
  return { kind: 'server', href: new URL(url).href }; // ioredis would take REDISS:// for a plain connection
}

function loginOf(text: string): Login {
  if (text === '') return {};
  if (text.includes('@') || text.includes('/'))
    fail('has a special character in user or password: write it as in %40 for @');
  const [username = '', password] = text.split(/:(.*)/s).map(decoded);
  if (!password)
    fail('names a user without a password: write user:password@, or :password@ for the default user');
  return username ? { username, password: password! } : { password: password! };
}

function addressesOf(text: string, kind: keyof typeof DEFAULT_PORTS): RedisAddress[] {
  return text.split(',').map((part) => {
    const { ipv6, name, port } = HOST.exec(part)?.groups ?? {};
    const host = ipv6 ?? name;
    if (!host)
      fail('needs host:port, several separated by commas (an IPv6 address in brackets) behind the last @');
    const number = Number(port ?? DEFAULT_PORTS[kind]);
    if (number < 1 || number > 65_535) fail('has a port that is not between 1 and 65535');
    return { host: host!, port: number };
  });
}

function masterOf(path: string): { master: string; database: number } {
  const [, name = '', database = '0', ...rest] = path.split('/');
  const master = decoded(name);
  if (!master)
    fail('with sentinels ends with the name by which they know the master: /master-name, or /master-name/0');
  if (!/^\d{0,5}$/.test(database) || rest.length > 0)
    fail('with sentinels ends with /master-name/ and the number of the database');
  return { master, database: Number(database) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return fail('has a % that begins no escape: write it as %25');
  }
}

function fail(what: string): never {
  throw new RedisUrlError(`REDIS_URL ${what}`);
}

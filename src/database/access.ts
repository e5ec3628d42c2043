import type { Config } from '../config/config.js';
import { type BoundedConfig, boundedSession, boundedTransactions } from './bounded-client.js';
import { urlsOfHosts } from '../config/database-url.js';
import { Hosts } from './hosts.js';
import type { Settings } from './pooled-query.js';

/** The variables that say how PostgreSQL is reached. */
export type Addresses = Pick<Config, 'DATABASE_URL'> &
  Partial<Pick<Config, 'DATABASE_DIRECT_URL' | 'DATABASE_PREPARED_STATEMENTS'>>;

/**
 * How connections for the work are made: by DATABASE_URL. A second address means that a connection pooler stands there.
 * @param settings beside the usual limits
 */
export function workAccess(addresses: Addresses, settings: Settings = {}): BoundedConfig {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_PREPARED_STATEMENTS } = addresses;
  const isPooled = DATABASE_DIRECT_URL !== undefined;
  return {
    ...(isPooled ? boundedTransactions(settings) : boundedSession(settings)),
    ...placeOf(DATABASE_URL),
    preparedStatements: DATABASE_PREPARED_STATEMENTS !== 'off',
  };
}

/** How connections are made that need a session of their own, as for notifications. */
export function sessionAccess({ DATABASE_URL, DATABASE_DIRECT_URL }: Addresses): BoundedConfig {
  return { ...boundedSession(), ...placeOf(DATABASE_DIRECT_URL ?? DATABASE_URL) };
}

/** One URL for pg, which knows no URL with several hosts, and where else to look for the primary. */
function placeOf(url: string): Pick<BoundedConfig, 'connectionString' | 'hosts'> {
  return { connectionString: urlsOfHosts(url)?.[0] ?? url, hosts: Hosts.of(url) };
}

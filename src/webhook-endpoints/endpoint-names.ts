import { type LookupAddress, promises } from 'node:dns';

/** Milliseconds for one question to one name server, and how often each is asked. */
const TIMEOUT = 2_000;
const TRIES = 2;

/** A name without addresses; the code is one that `dns.lookup` has as well. */
class NameError extends Error {
  constructor(
    host: string,
    readonly code: 'ENOTFOUND' | 'EAI_AGAIN',
  ) {
    super(`${code} ${host}`);
  }
}

/**
 * The addresses of a name, by DNS itself. `dns.lookup` would keep one of four threads of the process until the name's servers
 * answer: four names whose servers are silent would stop all other look-ups, those of the provider and PostgreSQL too.
 * What stands in the system's file of hosts is not looked at, but for this machine itself.
 * @param servers whom to ask, as `address:port`, in place of those of the system
 * @throws an error with the code ENOTFOUND or EAI_AGAIN
 */
export async function addressesOf(host: string, servers?: string[]): Promise<LookupAddress[]> {
  if (host === 'localhost') return [inFamily(4)('127.0.0.1'), inFamily(6)('::1')];
  const resolver = new promises.Resolver({ timeout: TIMEOUT, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const found = await Promise.allSettled([
    resolver.resolve4(host).then((addresses) => addresses.map(inFamily(4))),
    resolver.resolve6(host).then((addresses) => addresses.map(inFamily(6))),
  ]);
  const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  if (addresses.length > 0) return addresses;
  const isUnknown = found.every((one) => one.status === 'fulfilled' || isAbsent(one.reason));
  throw new NameError(host, isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN');
}

const inFamily = (family: 4 | 6) => (address: string) => ({ address, family });

const isAbsent = ({ code }: { code?: string }) => code === 'ENOTFOUND' || code === 'ENODATA';

import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that are one customer's network: who has one address there can take any of them. */
const NETWORK_BITS = 64;

/** An address with a port, as some proxies write it into X-Forwarded-For. */
const WITH_PORT = /^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/;

/**
 * What callers are counted by: an IPv4 address, or the network of an IPv6 one. What is neither is left as it is.
 * @param address as Express or proxy-addr has picked it, by the number of trusted proxies
 */
export function countedAddress(address: string): string {
  const [, v6, v4] = WITH_PORT.exec(address) ?? [];
  const bare = v6 ?? v4 ?? address;
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare); // an IPv4 address that is mapped to IPv6 is one of IPv4
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(
    `${(parsed as ipaddr.IPv6).toNormalizedString().replace(/%.*/, '')}/${NETWORK_BITS}`,
  );
  return `${network.toString()}/${NETWORK_BITS}`;
}

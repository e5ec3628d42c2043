import ipaddr from 'ipaddr.js';

/** Characters of a URL at most. */
export const LONGEST_URL = 2_048;

/** Addresses of a cloud's metadata service that are none of a private range: Azure's. */
const METADATA = new Set(['168.63.129.16']);

/** The part of IPv6 that is given out for the public network (RFC 4291). */
const GLOBAL_IPV6 = ipaddr.IPv6.parse('2000::');

export interface AddressRules {
  /** Whether the service's own machine may be called, also by http: in the sandbox only. */
  loopback: boolean;
}

/**
 * Whether events may be posted to an address: to public ones only, so that no tenant reaches what is private to those
 * who run the service. An IPv4 address within an IPv6 one is judged as what it leads to.
 */
export function mayCall(address: string, { loopback }: AddressRules): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  const range = ip.range();
  if (range === 'loopback') return loopback;
  if (ip instanceof ipaddr.IPv4) return range === 'unicast' && !METADATA.has(ip.toString());
  if (range === 'rfc6052') return mayCall(embeddedIpv4(ip as ipaddr.IPv6), { loopback: false });
  return range === 'unicast' && (ip as ipaddr.IPv6).match(GLOBAL_IPV6, 3);
}

/** The last 32 bits, where NAT64 has the IPv4 address. */
const embeddedIpv4 = (ip: ipaddr.IPv6): string => ip.toByteArray().slice(-4).join('.');

/** A host as a URL has it, without the brackets of an IPv6 address. */
export const bareHost = (host: string): string => host.replace(/^\[|\]$/g, '');

/** What is wrong with the URL of an endpoint, as far as it can be told without asking for its name; null when nothing is. */
export function urlFault(text: string, rules: AddressRules): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) return 'url must be an absolute URL, as in https://example.com/webhooks.';
  const host = bareHost(url.hostname);
  const isLoopback =
    host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
  const isHttp = url.protocol === 'http:';
  if (url.protocol !== 'https:' && !(isHttp && rules.loopback && isLoopback))
    return 'url must begin with https://.';
  if (url.username || url.password) return 'url must not carry a user or password.';
  if (ipaddr.isValid(host) && !mayCall(host, rules)) return PRIVATE_ADDRESS;
  return null;
}

/** Said of an address, and of a name that leads to one. */
export const PRIVATE_ADDRESS =
  'url must lead to a public address, not to a private, loopback or link-local one.';

import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { callbackify } from 'node:util';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector } from 'undici';
import { whenLate } from '../common/when-late.js';
import { within } from '../common/within.js';
import { Config } from '../config/config.js';
import { addressesOf } from './endpoint-names.js';
import { type AddressRules, bareHost, mayCall, PRIVATE_ADDRESS } from './domain/endpoint-address.js';

/** Milliseconds in which an endpoint has to answer, the name's address, connection and body of the answer included. */
export const ANSWER_TIMEOUT = 15_000;

const CONNECT_TIMEOUT = 10_000;

/** Milliseconds for a name's addresses when an endpoint is made. */
const LOOKUP_TIMEOUT = 3_000;

/** Milliseconds for which an unused connection is kept. */
const IDLE_TIMEOUT = 10_000;

/** Bytes of an answer that are read; nobody looks at them. */
const ANSWER_LIMIT = 64 * 1024;

/** What became of one request. */
export interface Answer {
  /** Null when no answer came. */
  status: number | null;
  /** Why it was no success; null when it was one. */
  error: string | null;
  /** Milliseconds. */
  duration: number;
}

/** The address that a name leads to is not one that may be called. */
class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

/**
 * Posts to endpoints of tenants. Where a name leads to is looked at whenever a connection is made, with the very address
 * that is connected to, so that a name cannot lead elsewhere in between. Redirects are not followed.
 */
@Injectable()
export class EndpointHttp implements OnApplicationShutdown {
  /** Which addresses may be called. */
  readonly rules: AddressRules;
  private readonly agent: Agent;

  constructor(config: Config) {
    this.rules = { loopback: isLoopback(new URL(config.PROVIDER_BASE_URL).hostname) };
    this.agent = new Agent({
      connect: guardedConnector(this.rules),
      pipelining: 1, // as many connections as are needed: endpoints that hang keep none from others of their host
      keepAliveTimeout: IDLE_TIMEOUT,
      keepAliveMaxTimeout: IDLE_TIMEOUT,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  /** Posts a body once. @param signal ends it at once, as a fault. Never throws. */
  async post(
    url: string,
    headers: Record<string, string>,
    body: string,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const startedAt = performance.now();
    const duration = () => Math.round(performance.now() - startedAt);
    const late = new AbortController();
    const endWait = whenLate(ANSWER_TIMEOUT, () => late.abort());
    try {
      const { origin, pathname, search } = new URL(url);
      const answer = await this.agent.request({
        origin,
        path: pathname + search,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Template-Messaging-Service',
          ...headers,
        },
        body,
        signal: signal ? AbortSignal.any([late.signal, signal]) : late.signal,
      });
      await answer.body.dump({ limit: ANSWER_LIMIT });
      const { statusCode: status } = answer;
      const error = status >= 200 && status < 300 ? null : `The endpoint answered with ${status}.`;
      return { status, error, duration: duration() };
    } catch (error) {
      return { status: null, error: late.signal.aborted ? NO_ANSWER : reasonOf(error), duration: duration() };
    } finally {
      endWait();
    }
  }

  /** Whether the host's name leads to an address that may not be called, as far as it is known within seconds. */
  async leadsAstray(url: string): Promise<boolean> {
    const host = bareHost(new URL(url).hostname);
    // It is looked at again whenever a connection is made.
    return within(LOOKUP_TIMEOUT, guardedAddresses(host, this.rules), () => new Error('late')).then(
      () => false,
      (error: unknown) => error instanceof AddressRefused,
    );
  }
}

const NO_ANSWER = `No answer within ${ANSWER_TIMEOUT / 1000} seconds.`;

const REASONS: Record<string, string> = {
  ADDRESS_REFUSED: PRIVATE_ADDRESS,
  ENOTFOUND: "The host's name is not known.",
  EAI_AGAIN: "The host's name could not be resolved.",
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was broken.',
  UND_ERR_SOCKET: 'The connection was broken.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection could be made in time.',
};

/** In words of ours: a message of the library might tell of the network here. */
function reasonOf(error: unknown): string {
  const { code = '' } = error as { code?: string };
  if (REASONS[code]) return REASONS[code];
  const isTls = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code);
  return isTls
    ? `No secure connection could be made (${code}).`
    : `The request failed (${code || 'unknown'}).`;
}

function isLoopback(host: string): boolean {
  const address = bareHost(host);
  return address === 'localhost' || (isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback');
}

function guardedConnector(rules: AddressRules): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT, lookup: guardedLookup(rules) });
  return (options, callback) => {
    // For an address, no name is looked up.
    const host = bareHost(options.hostname);
    if (isIP(host) !== 0 && !mayCall(host, rules)) return callback(new AddressRefused(host), null);
    connect(options, callback);
  };
}

/** The addresses of a name. @throws AddressRefused when any of them may not be called */
async function guardedAddresses(host: string, rules: AddressRules): Promise<LookupAddress[]> {
  const addresses = await addressesOf(host);
  if (addresses.every(({ address }) => mayCall(address, rules))) return addresses;
  throw new AddressRefused(host);
}

function guardedLookup(rules: AddressRules): LookupFunction {
  const look = callbackify(guardedAddresses);
  return (host, options, callback) =>
    look(host, rules, (error, addresses = []) => {
      const [first] = addresses;
      if (error || options.all || !first) return callback(error, addresses);
      callback(null, first.address, first.family);
    });
}

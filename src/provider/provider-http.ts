import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { buildConnector, errors, type Dispatcher, Pool } from 'undici';
import { whenLate } from '../common/when-late.js';
import type { Config } from '../config/config.js';
import { classifyProviderError } from './provider-answer.js';
import { ProviderError } from './provider-error.js';
import type { ProviderMetrics } from './provider-metrics.js';
import { parseWireJson } from './wire-json.js';

/** Connections beside those for messages, so that templates are read and edited however many sends hang. */
export const OTHER_CONNECTIONS = 16;
const CONNECT_TIMEOUT = 5_000;
/** Short: if the provider closes a connection while we write on it, the outcome is unknown. */
const IDLE_TIMEOUT = 4_000;
/** Bytes. The largest answer is a page of templates. */
const RESPONSE_LIMIT = 8 * 1024 * 1024;

export interface ProviderCredentials {
  accessToken: string;
}

/** One call. `path` begins after the version and is encoded by the caller ({@link segment}). */
export interface ProviderCall {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  query?: Record<string, string>;
  /** A JSON body; any other is given as `body`, with its own headers. */
  json?: unknown;
  body?: Buffer | Readable;
  headers?: Record<string, string>;
  /** Milliseconds until the answer begins, instead of PROVIDER_TIMEOUT; for uploads. */
  timeout?: number;
  signal?: AbortSignal;
  /**
   * Asked just before the call is written on its connection, for which it may have waited. If it returns false, nothing
   * is sent and the call fails with {@link NotLeft}.
   */
  mayLeave?: () => boolean;
  /** Whether it sends a message, for the metrics. */
  sends?: boolean;
}

/** The parsed body of a 2xx answer. */
export type ProviderResult = Record<string, unknown>;

/** The connection could not be made: whatever the reason, nothing of the request was sent. */
class NotConnected extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** `mayLeave` refused the call when its connection was ready: nothing of it was sent. */
export class NotLeft extends Error {}

/** The HTTP side of the client: kept-alive connections, and every way a call can fail as a {@link ProviderError}. */
export class ProviderHttp {
  private readonly pool: Pool;
  /** The pool, with a check of `mayLeave` before each request. */
  private readonly door: Dispatcher;
  private readonly prefix: string;
  private readonly timeout: number;

  constructor(
    config: Config,
    private readonly metrics: ProviderMetrics,
  ) {
    const base = new URL(config.PROVIDER_BASE_URL);
    this.prefix = `${base.pathname.replace(/\/+$/, '')}/${config.PROVIDER_API_VERSION}`;
    this.timeout = config.PROVIDER_TIMEOUT;
    this.pool = new Pool(base.origin, {
      connect: connector(),
      // One for each message that may be on its way: with fewer, a few numbers that hang would keep all others waiting.
      connections: config.DELIVERY_IN_FLIGHT + OTHER_CONNECTIONS,
      pipelining: 1,
      keepAliveTimeout: IDLE_TIMEOUT,
      keepAliveMaxTimeout: IDLE_TIMEOUT, // whatever the provider's Keep-Alive header says
      headersTimeout: this.timeout,
      // Off: it starts anew with every chunk, so it bounds nothing. readText has a deadline for the whole body.
      bodyTimeout: 0,
      maxResponseSize: RESPONSE_LIMIT,
    });
    this.door = this.pool.compose(askingToLeave);
  }

  /**
   * Makes the call, once.
   * @returns the object of a 2xx answer
   * @throws NotLeft when `mayLeave` said no, ProviderError for everything else
   */
  async call({ accessToken }: ProviderCredentials, call: ProviderCall): Promise<ProviderResult> {
    const kind = call.sends ? 'send' : 'other';
    const start = performance.now();
    try {
      const result = await this.request(accessToken, call);
      this.metrics.answered(kind, start);
      return result;
    } catch (error) {
      if (error instanceof ProviderError) this.metrics.failed(kind, start, error);
      throw error;
    }
  }

  private async request(accessToken: string, call: ProviderCall): Promise<ProviderResult> {
    if (call.signal?.aborted) throw notSent('ABORTED');
    if (this.pool.closed) throw notSent('CLIENT_CLOSED');
    let response: Dispatcher.ResponseData;
    let text: string;
    try {
      response = await (call.mayLeave ? this.door : this.pool).request(this.options(accessToken, call));
      text = await readText(response.body, this.timeout);
    } catch (error) {
      throw error instanceof NotLeft ? error : transportError(error, call);
    }
    const { statusCode: httpStatus, headers } = response;
    const body = parseObject(text);
    if (httpStatus >= 200 && httpStatus < 300) {
      if (!body) throw unanswered(call, 'ANSWER_NOT_JSON', httpStatus);
      if (!body['error']) return body;
    }
    throw classifyProviderError({
      httpStatus,
      body,
      retryAfterHeader: headers['retry-after'],
      usageHeader: headers['x-business-use-case-usage'],
      secret: accessToken,
    });
  }

  /** Lets the calls under way end, for at most `grace` ms, and closes the connections. */
  async close(grace: number): Promise<void> {
    if (this.pool.closed) return;
    const ended = new AbortController();
    const forced = delay(grace, undefined, { signal: ended.signal }).then(
      () => this.pool.destroy(),
      () => undefined,
    );
    // A race, since close() never settles when destroy() finds calls that still wait for a connection.
    await Promise.race([this.pool.close(), forced]);
    ended.abort();
  }

  private options(accessToken: string, call: ProviderCall): Dispatcher.RequestOptions & Leaving {
    const headers: Record<string, string> = { authorization: `Bearer ${accessToken}`, ...call.headers };
    if (call.json !== undefined) headers['content-type'] = 'application/json';
    return {
      method: call.method,
      path: this.prefix + call.path + (call.query ? `?${new URLSearchParams(call.query)}` : ''),
      headers,
      body: call.json === undefined ? call.body : JSON.stringify(call.json),
      headersTimeout: call.timeout,
      signal: call.signal,
      mayLeave: call.mayLeave,
    };
  }
}

/** One segment of a path. */
export const segment = encodeURIComponent;

/**
 * The request may have been carried out, but its answer is missing or of no use. Only a read can be repeated safely.
 * @param reason a word for the log
 */
export function unanswered(
  { method }: Pick<ProviderCall, 'method'>,
  reason: string,
  httpStatus?: number,
): ProviderError {
  return new ProviderError({
    errorClass: method === 'GET' ? 'transient' : 'unknown',
    httpStatus,
    title: 'No usable answer from the provider',
    details: reason,
  });
}

function notSent(reason: string): ProviderError {
  return new ProviderError({
    errorClass: 'transient',
    title: 'The provider could not be called',
    details: reason,
  });
}

/**
 * A call that ended without a complete answer. Telling "never sent" from "may have been sent" by error codes would
 * be a guess (ECONNRESET and ETIMEDOUT mean either), so the connector marks its own failures.
 */
function transportError(error: unknown, call: ProviderCall): ProviderError {
  if (error instanceof NotConnected) return notSent(error.code);
  const reason = codeOf(error);
  if (reason === 'UND_ERR_INVALID_ARG') {
    return new ProviderError({
      errorClass: 'auth',
      title: 'The access token has characters that no header may carry',
    });
  }
  return unanswered(call, call.signal?.aborted ? 'ABORTED' : reason);
}

type Leaving = Pick<ProviderCall, 'mayLeave'>;

/**
 * Has undici ask `mayLeave` where it is about to write a request. To throw there takes the request out of the queue and
 * leaves the connection to the next; to abort it would close the connection.
 */
function askingToLeave(dispatch: Dispatcher['dispatch']): Dispatcher['dispatch'] {
  return (options: Dispatcher.DispatchOptions & Leaving, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (...begun) => {
      if (options.mayLeave?.() === false) throw new NotLeft();
      start?.(...begun);
    };
    return dispatch(options, handler);
  };
}

/** undici's connector; its failures become {@link NotConnected}. */
function connector(): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT });
  return (options, callback) =>
    connect(options, (...result) =>
      result[0] ? callback(new NotConnected(codeOf(result[0])), null) : callback(...result),
    );
}

/** The code of an error, as in ECONNREFUSED; never its message, which may quote what was sent. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name);
}

/** @throws errors.BodyTimeoutError when the whole body is not there within `timeout` ms */
async function readText(body: Dispatcher.ResponseData['body'], timeout: number): Promise<string> {
  const endWait = whenLate(timeout, () => body.destroy(new errors.BodyTimeoutError()));
  try {
    return await body.text();
  } finally {
    endWait();
  }
}

/** The object in a JSON text; undefined when it is none. */
function parseObject(text: string): ProviderResult | undefined {
  try {
    const value = parseWireJson(text);
    return typeof value === 'object' && value !== null ? (value as ProviderResult) : undefined;
  } catch {
    return undefined;
  }
}

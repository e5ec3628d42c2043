import { connectionIsDown, connectionIsUp } from './connection';
import { ApiFault, faultOf, toFault } from './fault';
import { gate } from './gate';

export const API_ROOT = '/dashboard/api/';

export type Query = Record<string, string | number | boolean | readonly string[] | null | undefined>;

/** The service's envelope. */
export interface Answer<T> {
  data: T;
  next_cursor?: string | null;
}

export interface CallOptions {
  query?: Query | undefined;
  signal?: AbortSignal | undefined;
  /** Headers in addition to those of every call. */
  headers?: Record<string, string>;
  /** Whether a 401 is an ordinary answer, not the end of the session. */
  anonymous?: boolean;
  /** Milliseconds after which the call is given up. */
  timeLimit?: number;
}

/** Milliseconds for a read, which is repeated, and for a change, which may have to wait for the provider. */
const TIME_LIMITS = { read: 15_000, change: 90_000 };

/** Milliseconds for the question whether the service is there. */
const PROBE_LIMIT = 5_000;

/** Aborted when the connection turns out to be dead, so that its reads are repeated over another one. */
let line = new AbortController();

/** Calls to the service. Each throws {@link ApiFault}. When the session has ended, a call waits for a new sign-in. */
export const api = {
  get: <T>(path: string, options?: CallOptions) => data<T>('GET', path, undefined, options),
  /** The whole answer, with `next_cursor`. */
  getPage: <T>(path: string, options?: CallOptions) => call<T>('GET', path, undefined, options),
  post: <T>(path: string, body?: unknown, options?: CallOptions) => data<T>('POST', path, body, options),
  put: <T>(path: string, body?: unknown, options?: CallOptions) => data<T>('PUT', path, body, options),
  patch: <T>(path: string, body?: unknown, options?: CallOptions) => data<T>('PATCH', path, body, options),
  delete: <T>(path: string, body?: unknown, options?: CallOptions) => data<T>('DELETE', path, body, options),
};

/** The address of an endpoint, also for downloads and images. Empty values of the query are left out. */
export function dashboardUrl(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue;
    for (const item of Array.isArray(value) ? value : [value]) params.append(name, String(item));
  }
  return `${API_ROOT}${path}${params.size > 0 ? `?${params}` : ''}`;
}

async function data<T>(method: string, path: string, body: unknown, options?: CallOptions): Promise<T> {
  return (await call<T>(method, path, body, options)).data;
}

async function call<T>(
  method: string,
  path: string,
  body: unknown,
  options: CallOptions = {},
): Promise<Answer<T>> {
  return withSession(options, async () => {
    const request = {
      method,
      headers: { ...headersOf(method, body), ...options.headers },
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    } satisfies RequestInit;
    return readAnswer<T>(await send(dashboardUrl(path, options.query), request, options));
  });
}

/** Repeats an attempt that was refused for want of a session, each time the user has signed in again. */
export async function withSession<T>(options: CallOptions, attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isGone = error instanceof ApiFault && error.status === 401 && !options.anonymous;
      if (!isGone) throw error;
      await gate.waitForSession();
      options.signal?.throwIfAborted();
    }
  }
}

/** An answer as it was received. */
export interface RawAnswer {
  status: number;
  text: string;
  retryAfter: string | null;
}

/** Reads the envelope of an answer, or throws its fault. Reports to connection.ts whether the service is there. */
export function readAnswer<T>({ status, text, retryAfter }: RawAnswer): Answer<T> {
  if (status < 400) {
    const answer = text === '' ? { data: {} } : parse(text);
    connectionIsUp();
    return answer as Answer<T>;
  }
  const fault = faultOf(status, text, retryAfter);
  if (fault.isUnreachable) connectionIsDown();
  else connectionIsUp();
  throw fault;
}

/** The fault of a call without an answer. */
export function noAnswer(): ApiFault {
  connectionIsDown();
  return ApiFault.unreachable();
}

/** A signal that aborts when the connection turns out to be dead, for requests other than these calls. */
export function lineSignal(): AbortSignal {
  return line.signal;
}

/** The cheapest call that reaches the database. When it gets no answer, earlier calls will not get one either. */
export async function probe(): Promise<void> {
  try {
    await api.get('session', { timeLimit: PROBE_LIMIT });
  } catch (error) {
    if (toFault(error).status === 0) {
      line.abort();
      line = new AbortController();
    }
    throw error;
  }
}

/** Reads JSON. A success without JSON was cut off, or comes from something between us and the service. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw noAnswer();
  }
}

/** @throws {ApiFault} when the answer, or a part of it, does not come */
async function send(
  url: string,
  request: RequestInit,
  { signal, timeLimit }: CallOptions,
): Promise<RawAnswer> {
  const isRead = request.method === 'GET';
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeLimit ?? (isRead ? TIME_LIMITS.read : TIME_LIMITS.change));
  const ends = [late.signal, ...(isRead ? [line.signal] : []), ...(signal ? [signal] : [])];
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.any(ends) });
    const { status, headers } = response;
    return { status, text: await response.text(), retryAfter: headers.get('Retry-After') };
  } catch {
    signal?.throwIfAborted();
    throw noAnswer();
  } finally {
    clearTimeout(timer);
  }
}

function headersOf(method: string, body: unknown): Record<string, string> {
  return {
    Accept: 'application/json',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...csrfHeader(method),
  };
}

export function csrfHeader(method: string): Record<string, string> {
  return method === 'GET' || gate.csrfToken === undefined ? {} : { 'X-CSRF-Token': gate.csrfToken };
}

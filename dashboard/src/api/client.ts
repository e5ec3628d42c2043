import { connectionIsDown, connectionIsUp } from './connection';
import { ApiFault, faultOf } from './fault';
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
  /** Beside those that every call has. */
  headers?: Record<string, string>;
  /** A 401 is an answer, not the end of the session. */
  anonymous?: boolean;
}

/** Calls to the service. Each throws {@link ApiFault}; a session that has ended is renewed by the user meanwhile. */
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
    const response = await send(dashboardUrl(path, options.query), {
      method,
      headers: { ...headersOf(method, body), ...options.headers },
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    const text = await response.text();
    return readAnswer<T>(response.status, text, response.headers.get('Retry-After'));
  });
}

/** Repeats what was refused for want of a session, as often as the user signs in again. */
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

/** The envelope of an answer, or its fault; tells the connection what it has learnt. */
export function readAnswer<T>(status: number, text: string, retryAfter: string | null): Answer<T> {
  if (status < 400) {
    connectionIsUp();
    return (text === '' ? { data: {} } : JSON.parse(text)) as Answer<T>;
  }
  const fault = faultOf(status, text, retryAfter);
  if (fault.isUnreachable) connectionIsDown(probe);
  else connectionIsUp();
  throw fault;
}

/** No answer came at all. */
export function noAnswer(): ApiFault {
  connectionIsDown(probe);
  return ApiFault.unreachable();
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    init.signal?.throwIfAborted();
    if (error instanceof TypeError) throw noAnswer();
    throw error;
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

/** The cheapest call that reaches the database. */
function probe(): Promise<unknown> {
  return api.get('session', { anonymous: true });
}

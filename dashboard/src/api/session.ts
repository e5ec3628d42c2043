import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api } from './client';
import { ApiFault } from './fault';
import { gate } from './gate';
import { queryClient } from './query-client';

export type Role = 'viewer' | 'editor' | 'owner';

export interface SessionUser {
  user_id: string;
  email: string;
  role: Role;
  /** Operates the service as a whole, beyond the tenant. */
  operator: boolean;
  tenant: { tenant_id: string; name: string };
}

/** How the service thinks that this browser reaches it. */
export interface Connection {
  /** By TLS. */
  secure: boolean;
  trusted_proxies: number;
  /** What a proxy has sent along and the service does not believe. */
  ignored_headers: string[];
}

interface Session {
  user: SessionUser;
  csrf_token: string;
  connection: Connection;
}

/** Who is signed in; null is nobody. */
export const sessionQuery = queryOptions<Session | null>({
  queryKey: ['session'],
  queryFn: loadSession,
  // Read once; recheckSession() and signIn() renew it.
  staleTime: 'static',
});

/**
 * @param code of the second factor, where it is asked for
 * @throws {ApiFault} UNAUTHORIZED when something is wrong, SECOND_FACTOR_REQUIRED when only the code is missing,
 *   RATE_LIMITED after too many tries.
 */
export async function signIn(email: string, password: string, code?: string): Promise<void> {
  const credentials = { email, password, ...(code !== undefined && { code }) };
  const session = await api.post<Session>('session', credentials, { anonymous: true });
  keep(session);
}

/**
 * Another tab shares the session's cookie and may have signed in anew, or as somebody else. To be called when this one
 * is looked at again.
 */
export async function recheckSession(): Promise<void> {
  const before = queryClient.getQueryData(sessionQuery.queryKey);
  const now = before && (await readSession());
  if (!now) return;
  if (now.user.user_id === before.user.user_id) keep(now);
  else window.location.assign(import.meta.env.BASE_URL);
}

/** Ends this session, or all of the user's; the page is loaded anew, so that nothing of it stays in memory. */
export async function signOut({ everywhere = false } = {}): Promise<void> {
  try {
    await api.delete(everywhere ? 'session/all' : 'session', undefined, { anonymous: true });
  } catch (error) {
    const wasGone = error instanceof ApiFault && error.status === 401;
    if (!wasGone) throw error;
  }
  window.location.assign(`${import.meta.env.BASE_URL}login`);
}

/** For components below the shell, which is shown to signed-in users only. */
export function useUser(): SessionUser {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('Nobody is signed in.');
  return data.user;
}

/** As {@link useUser}. */
export function useConnection(): Connection {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('Nobody is signed in.');
  return data.connection;
}

const ROLES: readonly Role[] = ['viewer', 'editor', 'owner'];

/** Whether the user is at least this. The service checks it again. */
export function useCan(role: Role): boolean {
  return ROLES.indexOf(useUser().role) >= ROLES.indexOf(role);
}

/** True while calls wait for the user to sign in again. */
export function useSessionIsGone(): boolean {
  return useSyncExternalStore(gate.subscribe, gate.isGone);
}

async function loadSession(): Promise<Session | null> {
  const session = await readSession();
  if (session) gate.open(session.csrf_token);
  return session;
}

function readSession(): Promise<Session | null> {
  return api.get<Session | null>('session');
}

function keep(session: Session): void {
  queryClient.setQueryData(sessionQuery.queryKey, session);
  gate.open(session.csrf_token);
}

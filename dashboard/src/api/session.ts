import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api } from './client';
import { ApiFault } from './fault';
import { gate } from './gate';
import { queryClient } from './query-client';
import { setAhead } from './service-clock';

export type Role = 'viewer' | 'editor' | 'owner';

export interface SessionUser {
  user_id: string;
  email: string;
  role: Role;
  /** Whether the user operates the service as a whole, beyond the tenant. */
  operator: boolean;
  tenant: { tenant_id: string; name: string };
}

/** How this browser reaches the service, as the service sees it. */
export interface Connection {
  /** Whether it is over TLS. */
  secure: boolean;
  trusted_proxies: number;
  /** Headers of a proxy that the service does not trust. */
  ignored_headers: string[];
}

/** The service that answers. */
export interface ServiceFacts {
  version: string;
  /** Milliseconds by which its clock was moved ahead, in the sandbox. */
  clock_ahead: number;
}

interface Session {
  user: SessionUser;
  csrf_token: string;
  connection: Connection;
  service: ServiceFacts;
}

/** The session of the user who is signed in; null for nobody. */
export const sessionQuery = queryOptions<Session | null>({
  queryKey: ['session'],
  queryFn: loadSession,
  // Read once; recheckSession() and signIn() renew it.
  staleTime: 'static',
});

/**
 * @param code of the second factor, when the service asks for one
 * @throws {ApiFault} UNAUTHORIZED when something is wrong, SECOND_FACTOR_REQUIRED when only the code is missing,
 *   RATE_LIMITED after too many tries.
 */
export async function signIn(email: string, password: string, code?: string): Promise<void> {
  const credentials = { email, password, ...(code !== undefined && { code }) };
  const session = await api.post<Session>('session', credentials, { anonymous: true });
  keep(session);
}

/**
 * To be called when this tab becomes visible again: another tab has the same cookie, and may have signed in again or as
 * another user.
 */
export async function recheckSession(): Promise<void> {
  const before = queryClient.getQueryData(sessionQuery.queryKey);
  const now = before && (await readSession());
  if (!now) return;
  if (now.user.user_id === before.user.user_id) keep(now);
  else window.location.assign(import.meta.env.BASE_URL);
}

/** Ends this session, or all of the user's, and reloads the page, so that no data stay in memory. */
export async function signOut({ everywhere = false } = {}): Promise<void> {
  try {
    await api.delete(everywhere ? 'session/all' : 'session', undefined, { anonymous: true });
  } catch (error) {
    const wasGone = error instanceof ApiFault && error.status === 401;
    if (!wasGone) throw error;
  }
  window.location.assign(`${import.meta.env.BASE_URL}login`);
}

/** The user, for components below the shell, which is shown to signed-in users only. */
export function useUser(): SessionUser {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('Nobody is signed in.');
  return data.user;
}

/** The connection, for the same components as {@link useUser}. */
export function useConnection(): Connection {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('Nobody is signed in.');
  return data.connection;
}

/** The service, for the same components as {@link useUser}. */
export function useService(): ServiceFacts {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('Nobody is signed in.');
  return data.service;
}

const ROLES: readonly Role[] = ['viewer', 'editor', 'owner'];

/** Whether the user has at least this role. The service checks it again. */
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

async function readSession(): Promise<Session | null> {
  const session = await api.get<Session | null>('session');
  if (session) setAhead(session.service.clock_ahead);
  return session;
}

function keep(session: Session): void {
  setAhead(session.service.clock_ahead);
  queryClient.setQueryData(sessionQuery.queryKey, session);
  gate.open(session.csrf_token);
}

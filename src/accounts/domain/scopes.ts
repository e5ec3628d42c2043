/** What an API key may be allowed to do, one by one. The order is that in which they are shown. */
export const SCOPES = [
  'messages:send',
  'messages:read',
  'templates:read',
  'events:read',
  'settings:write',
] as const;

/** One thing that API keys may do. Every operation of the API needs exactly one. */
export type Scope = (typeof SCOPES)[number];

/** The scopes of a list, each once and in the order of {@link SCOPES}. */
export const inOrder = (scopes: readonly Scope[]): Scope[] =>
  SCOPES.filter((scope) => scopes.includes(scope));

export const isScope = (name: string): name is Scope => (SCOPES as readonly string[]).includes(name);

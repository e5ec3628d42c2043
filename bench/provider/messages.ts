/** What the benchmark asks its provider: to forget everything; all that it took; what it took since it was last asked. */
export type ProviderRequest = 'reset' | 'takings' | 'news';

/** What the provider tells; the number of messages it has taken of its own accord, many times in a second. */
export type ProviderAnswer =
  | { kind: 'taken'; taken: number }
  | { kind: 'reset' }
  /** By the id that the service sent along, in the order of taking; `at` in milliseconds since 1970. */
  | { kind: 'takings'; takings: Taking[] }
  | { kind: 'news'; takings: Taking[] };

export type Taking = [id: number, at: number];

/** The provider's id of the message with that id of ours. */
export const providerMessageId = (messageLogId: number) => `wamid.bench.${messageLogId}`;

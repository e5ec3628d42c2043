/** The benchmark's requests to its provider: forget everything; tell all that it took; tell what it took since then. */
export type ProviderRequest = 'reset' | 'takings' | 'news';

/** What the provider tells. It sends the number of taken messages without a request, many times a second. */
export type ProviderAnswer =
  | { kind: 'taken'; taken: number }
  | { kind: 'reset' }
  /** Taken messages in order, by the id in their tag; `at` in milliseconds since 1970. */
  | { kind: 'takings'; takings: Taking[] }
  | { kind: 'news'; takings: Taking[] };

export type Taking = [id: number, at: number];

/** The provider's id of the message with this message log id. */
export const providerMessageId = (messageLogId: number) => `wamid.bench.${messageLogId}`;

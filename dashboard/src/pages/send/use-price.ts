import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { Price, SendRequest } from './types';

/** Milliseconds after the last letter before the service is asked. */
const PAUSE = 400;

/** Milliseconds for which a price counts as current. */
const FRESH = 60_000;

/** Milliseconds to wait for an answer; it is then asked for again, as asking changes nothing. */
const TIME_LIMIT = 15_000;

/**
 * The price of the message and the time at which it would be sent, by the rules of a send.
 * @param request null while something is missing
 */
export function usePrice(request: SendRequest | null): UseQueryResult<Price> & { isAsked: boolean } {
  const text = request && JSON.stringify(request);
  const [settled] = useDebouncedValue(text, PAUSE);
  const isAsked = settled !== null && settled === text;
  const query = useQuery<Price>({
    queryKey: ['messages', 'price', settled],
    queryFn: ({ signal }) =>
      api.post<Price>('messages/price', JSON.parse(settled ?? ''), { signal, timeLimit: TIME_LIMIT }),
    enabled: isAsked,
    retry: false,
    staleTime: FRESH,
  });
  return { ...query, isAsked };
}

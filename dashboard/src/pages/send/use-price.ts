import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { Price, SendRequest } from './types';

/** Milliseconds after the last letter when the service is asked. */
const PAUSE = 400;

/** How long a price is taken for true, in milliseconds. */
const FRESH = 60_000;

/** It only asks: an answer that is late is asked for again, in milliseconds. */
const TIME_LIMIT = 15_000;

/**
 * What the message would cost and when it would go out, judged by the rules of a send.
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

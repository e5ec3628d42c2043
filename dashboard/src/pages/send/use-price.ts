import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { ApiFault } from '../../api/fault';
import type { Price, SendRequest } from './types';

/** Milliseconds after the last letter when the service is asked. */
const PAUSE = 400;

/** How long a price is taken for true, in milliseconds. */
const FRESH = 60_000;

/**
 * What the message would cost and when it would go out, judged by the rules of a send.
 * @param request null while something is missing
 */
export function usePrice(
  request: SendRequest | null,
): UseQueryResult<Price, ApiFault> & { isAsked: boolean } {
  const text = request && JSON.stringify(request);
  const [settled] = useDebouncedValue(text, PAUSE);
  const isAsked = settled !== null && settled === text;
  const query = useQuery<Price, ApiFault>({
    queryKey: ['messages', 'price', settled],
    queryFn: ({ signal }) => api.post<Price>('messages/price', JSON.parse(settled ?? ''), { signal }),
    enabled: isAsked,
    retry: false,
    staleTime: FRESH,
  });
  return { ...query, isAsked };
}

import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { SendRequest, Validation } from './types';

/** Milliseconds after the last letter before the service is asked. */
const PAUSE = 400;

/** Milliseconds for which an answer counts as current. */
const FRESH = 60_000;

/** Milliseconds to wait for an answer; it is then asked for again, as asking changes nothing. */
const TIME_LIMIT = 15_000;

/**
 * What would become of the message, by the rules of a send: all of its faults, its price, when it goes out, warnings.
 * @param request null while something is missing
 */
export function useValidation(
  request: SendRequest | null,
): UseQueryResult<Validation> & { isAsked: boolean } {
  const text = request && JSON.stringify(request);
  const [settled] = useDebouncedValue(text, PAUSE);
  const isAsked = settled !== null && settled === text;
  const query = useQuery<Validation>({
    queryKey: ['messages', 'validation', settled],
    queryFn: ({ signal }) =>
      api.post<Validation>('messages/validate', JSON.parse(settled ?? ''), {
        signal,
        timeLimit: TIME_LIMIT,
      }),
    enabled: isAsked,
    retry: false,
    staleTime: FRESH,
  });
  return { ...query, isAsked };
}

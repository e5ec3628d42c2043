import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Answer, api, dashboardUrl, type Query } from './client';
import type { ApiFault } from './fault';
import { openLiveStream } from './live-stream';
import { dataOf, queryKey } from './queries';

/** While the stream is out, in milliseconds. */
const POLL_INTERVAL = 5_000;

/**
 * The `data` of an endpoint, renewed as it changes: by server-sent events, or by polling while these fail. The first
 * answer is an ordinary call, so that its fault is known. Each stream is one of the browser's six connections to a
 * host: two on a page at most.
 */
export function useLive<T>(
  path: string,
  query?: Query,
  { enabled = true }: { enabled?: boolean } = {},
): UseQueryResult<T, ApiFault> {
  const queryClient = useQueryClient();
  const [isFlowing, setFlowing] = useState(true);
  // The key as text: a query written in place is a new object with each render.
  const url = dashboardUrl(path, query);
  const key = queryKey(path, query);
  const keyText = JSON.stringify(key);

  const result = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.getPage<T>(path, { query, signal }),
    select: dataOf<T>,
    enabled,
    refetchInterval: isFlowing ? false : POLL_INTERVAL,
  });
  const isListening = enabled && result.isSuccess;

  useEffect(() => {
    if (!isListening) return undefined;
    const liveKey = JSON.parse(keyText) as unknown[];
    return openLiveStream(url, {
      onData: (answer) => queryClient.setQueryData<Answer<T>>(liveKey, answer as Answer<T>),
      // The call is refused, waits until the user has signed in again, and is then answered.
      onGone: () => queryClient.refetchQueries({ queryKey: liveKey, exact: true }),
      onFlow: setFlowing,
    });
  }, [isListening, url, keyText, queryClient]);

  return result;
}

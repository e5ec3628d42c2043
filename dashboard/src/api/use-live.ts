import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Answer, api, dashboardUrl, type Query } from './client';
import { useIsConnected } from './connection';
import { openLiveStream } from './live-stream';
import { dataOf, queryKey } from './queries';

/** Milliseconds between two reads while the stream is out. */
const POLL_INTERVAL = 5_000;

/** The state of a stream: `opening` until the first event has come, `lost` while none can come. */
export type Flow = 'opening' | 'flowing' | 'lost';

/** The answer of an endpoint, and whether it is renewed when it changes. */
export type LiveResult<T> = UseQueryResult<T> & { flow: Flow };

interface LiveOptions {
  enabled?: boolean;
}

/** The `data` of an endpoint, live: see {@link useLiveAnswer}. */
export function useLive<T>(path: string, query?: Query, options?: LiveOptions): LiveResult<T> {
  return useLiveQuery(path, query, dataOf<T>, options);
}

/**
 * The whole answer of an endpoint, renewed when it changes: by server-sent events, or by polling while these fail. The
 * first answer is an ordinary call, so that its fault is known. Each stream takes one of the browser's six connections
 * to a host, so a page has at most two.
 */
export function useLiveAnswer<T>(path: string, query?: Query, options?: LiveOptions): LiveResult<Answer<T>> {
  return useLiveQuery(path, query, whole<T>, options);
}

function useLiveQuery<T, Result>(
  path: string,
  query: Query | undefined,
  select: (answer: Answer<T>) => Result,
  { enabled = true }: LiveOptions = {},
): LiveResult<Result> {
  const queryClient = useQueryClient();
  const isConnected = useIsConnected();
  const [flow, setFlow] = useState<Flow>('opening');
  // The key is a text, as a query that is written in place is a new object at each render.
  const url = dashboardUrl(path, query);
  const key = queryKey(path, query);
  const keyText = JSON.stringify(key);

  const result = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.getPage<T>(path, { query, signal }),
    select,
    enabled,
    refetchInterval: flow === 'lost' ? POLL_INTERVAL : false,
  });
  const isListening = enabled && result.isSuccess;

  useEffect(() => {
    if (!isListening) return undefined;
    const liveKey = JSON.parse(keyText) as unknown[];
    const leave = openLiveStream(url, {
      onData: (answer) => queryClient.setQueryData<Answer<T>>(liveKey, answer as Answer<T>),
      // This call is refused, waits until the user has signed in again, and is then answered.
      onGone: () => queryClient.refetchQueries({ queryKey: liveKey, exact: true }),
      onFlow: (isFlowing) => setFlow(isFlowing ? 'flowing' : 'lost'),
    });
    return () => {
      leave();
      setFlow('opening');
    };
  }, [isListening, url, keyText, queryClient]);

  return { ...result, flow: isConnected ? flow : 'lost' };
}

function whole<T>(answer: Answer<T>): Answer<T> {
  return answer;
}

import {
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { type Answer, api, type Query } from './client';
import { notifyFault } from './notify';

/** `templates/12` is under `templates`: invalidating that renews both. */
export function queryKey(path: string, query?: Query): QueryKey {
  return [...path.split('/'), ...(query ? [query] : [])];
}

interface GetOptions {
  enabled?: boolean;
  /** Milliseconds after which it is asked for again, while it is shown; never where it is left out. */
  refetchInterval?: number;
  /** Shows the answer to the query before until that to a new one is there. */
  keepPrevious?: boolean;
}

/** The `data` of an endpoint. */
export function useGet<T>(
  path: string,
  query?: Query,
  { enabled = true, refetchInterval, keepPrevious = false }: GetOptions = {},
): UseQueryResult<T> {
  return useQuery({
    queryKey: queryKey(path, query),
    queryFn: ({ signal }) => api.getPage<T>(path, { query, signal }),
    select: dataOf<T>,
    enabled,
    refetchInterval: refetchInterval ?? false,
    ...(keepPrevious && { placeholderData: keepPreviousData<Answer<T>> }),
  });
}

/** The cache holds whole answers, so that a live event can replace one. */
export function dataOf<T>(answer: Answer<T>): T {
  return answer.data;
}

/** A list that is read page by page by `next_cursor`. */
export function usePages<Row>(path: string, query: Query = {}) {
  const { data, ...rest } = useInfiniteQuery({
    queryKey: [...queryKey(path), 'pages', query],
    queryFn: ({ pageParam, signal }) =>
      api.getPage<Row[]>(path, { query: { ...query, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
  return { ...rest, rows: data?.pages.flatMap(dataOf) ?? [] };
}

interface WriteOptions<T, V> {
  /** Paths whose data have changed by it, and all below them. */
  refresh?: readonly string[];
  /** Whether a failure is shown as a notification; false where the form shows it. */
  notify?: boolean;
  onSuccess?: (result: T, variables: V) => unknown;
}

/** A call that changes something. It is done when what it has changed is being read again. */
export function useWrite<T, V = void>(
  call: (variables: V) => Promise<T>,
  { refresh = [], notify = true, onSuccess }: WriteOptions<T, V> = {},
): UseMutationResult<T, Error, V> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSuccess: (result, variables) => {
      for (const path of refresh) void queryClient.invalidateQueries({ queryKey: queryKey(path) });
      return onSuccess?.(result, variables);
    },
    onError: (fault) => {
      if (notify) notifyFault(fault);
    },
  });
}

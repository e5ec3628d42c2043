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

/** The key of `templates/12` begins with that of `templates`, so that invalidating the latter renews both. */
export function queryKey(path: string, query?: Query): QueryKey {
  return [...path.split('/'), ...(query ? [query] : [])];
}

interface GetOptions {
  enabled?: boolean;
  /** Milliseconds after which the data are read again while they are shown; by default never. */
  refetchInterval?: number;
  /** Whether the answer to the former query is shown until the new one has come. */
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
  /** Paths whose data it changes, with all paths below them. */
  refresh?: readonly string[];
  /** Whether a failure is shown as a notification; false when the form shows it. */
  notify?: boolean;
  onSuccess?: (result: T, variables: V) => unknown;
}

/** A call that changes something. It is done when the changed data are being read again. */
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

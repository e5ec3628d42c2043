import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { type Answer, api, type Query } from '../../api/client';
import { queryKey } from '../../api/queries';
import { useLive } from '../../api/use-live';
import type { MessagePage } from './types';

/** Messages in a page. */
const LIMIT = 50;

/** Where the pages before this one began, newest first; kept by the history, not in the address. */
interface Trail {
  trail?: string[];
}

/**
 * The page of the list that the address names: the first one is live, older ones stand still, so that what arrives
 * pushes nothing away while one reads.
 */
export function useMessagePage(filter: Query) {
  const [params] = useSearchParams();
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const cursor = params.get('cursor');
  const trail = (state as Trail | null)?.trail ?? [];

  const live = useLive<MessagePage>('messages', { ...filter, limit: LIMIT }, { enabled: cursor === null });
  const olderQuery = { ...filter, limit: LIMIT, cursor };
  const still = useQuery({
    queryKey: queryKey('messages', olderQuery),
    queryFn: ({ signal }) => api.getPage<MessagePage>('messages', { query: olderQuery, signal }),
    enabled: cursor !== null,
  });
  const nextCursor = useNextCursor({ ...filter, limit: LIMIT }, cursor, still.data);

  const go = (to: string | null, nextTrail: string[]) => {
    const search = new URLSearchParams(params);
    if (to === null) search.delete('cursor');
    else search.set('cursor', to);
    void navigate({ pathname, search: search.toString() }, { state: { trail: nextTrail } });
  };
  const older = () => nextCursor !== null && go(nextCursor, [...trail, cursor ?? '']);
  const newer = () => go(trail.at(-1) || null, trail.slice(0, -1));
  const query = cursor === null ? live : still;
  return {
    data: cursor === null ? live.data : still.data?.data,
    error: query.error,
    refetch: query.refetch,
    isPending: query.isPending,
    isFirst: cursor === null,
    hasOlder: nextCursor !== null,
    older,
    newer,
  };
}

/** Of the live page it stands in the cache, beside the data that useLive gives. */
function useNextCursor(filter: Query, cursor: string | null, still: Answer<MessagePage> | undefined) {
  const { data } = useQuery<Answer<MessagePage>>({ queryKey: queryKey('messages', filter), enabled: false });
  return (cursor === null ? data : still)?.next_cursor ?? null;
}

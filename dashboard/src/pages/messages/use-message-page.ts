import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { api, type Query } from '../../api/client';
import { queryKey } from '../../api/queries';
import { useLiveAnswer } from '../../api/use-live';
import type { MessagePage } from './types';

/** Messages in a page. */
const LIMIT = 50;

/** The cursors of the pages before this one, newest first; in the browser's history, not in the address. */
interface Trail {
  trail?: string[];
}

/**
 * The page of the list that the address names. The first page is live; older ones do not change, so that new messages
 * move nothing while somebody reads.
 */
export function useMessagePage(filter: Query) {
  const [params] = useSearchParams();
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const cursor = params.get('cursor');
  const trail = (state as Trail | null)?.trail ?? [];

  const live = useLiveAnswer<MessagePage>(
    'messages',
    { ...filter, limit: LIMIT },
    { enabled: cursor === null },
  );
  const olderQuery = { ...filter, limit: LIMIT, cursor };
  const still = useQuery({
    queryKey: queryKey('messages', olderQuery),
    queryFn: ({ signal }) => api.getPage<MessagePage>('messages', { query: olderQuery, signal }),
    enabled: cursor !== null,
  });
  const query = cursor === null ? live : still;
  const nextCursor = query.data?.next_cursor ?? null;

  const go = (to: string | null, nextTrail: string[]) => {
    const search = new URLSearchParams(params);
    if (to === null) search.delete('cursor');
    else search.set('cursor', to);
    void navigate({ pathname, search: search.toString() }, { state: { trail: nextTrail } });
  };
  const older = () => nextCursor !== null && go(nextCursor, [...trail, cursor ?? '']);
  const newer = () => go(trail.at(-1) || null, trail.slice(0, -1));
  return {
    data: query.data?.data,
    error: query.error,
    refetch: query.refetch,
    isFirst: cursor === null,
    /** The state of the stream, on the first page only. */
    flow: cursor === null ? live.flow : null,
    hasOlder: nextCursor !== null,
    older,
    newer,
  };
}

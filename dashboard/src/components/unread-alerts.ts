import { useGet } from '../api/queries';

/** Where the service tells what the user has not read. */
export const UNREAD = 'alerts/unread';

/** Milliseconds between two looks. Not a live stream: the browser has six connections, and the pages need them. */
const INTERVAL = 20_000;

/** The ids of the open alerts that the user has not read. */
export function useUnreadAlerts(): number[] {
  const { data } = useGet<{ alert_ids: number[] }>(UNREAD, undefined, { refetchInterval: INTERVAL });
  return data?.alert_ids ?? [];
}

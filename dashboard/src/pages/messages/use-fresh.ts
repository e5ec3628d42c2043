import { useEffect, useRef, useState } from 'react';
import type { Message } from './types';

/** Counts the changes of each row while it is shown; odd and even counts restart the highlight. */
export type Fresh = ReadonlyMap<number, number>;

/** The rows that are new or have another status since the list was last shown; none when `list` names another list. */
export function useFresh(messages: readonly Message[] | undefined, list: string): Fresh {
  const [fresh, setFresh] = useState<Fresh>(new Map());
  const seen = useRef<{ list: string; statuses: Map<number, string> } | null>(null);
  useEffect(() => {
    if (!messages) return;
    const before = seen.current;
    const statuses = new Map(
      messages.map(({ message_log_id, status }) => [message_log_id, status as string]),
    );
    seen.current = { list, statuses };
    if (before?.list !== list) {
      setFresh(new Map());
      return;
    }
    const changed = [...statuses].filter(([id, status]) => before.statuses.get(id) !== status);
    if (changed.length === 0) return;
    setFresh(
      (current) => new Map([...current, ...changed.map(([id]) => [id, (current.get(id) ?? 0) + 1] as const)]),
    );
  }, [messages, list]);
  return fresh;
}

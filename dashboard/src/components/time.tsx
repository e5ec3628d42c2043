import { Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { serviceNow } from '../api/service-clock';
import { formatDateTime, formatRelative } from '../format';
import { strings } from '../strings';

/** Milliseconds within which a time is "now". */
const TICK = 10_000;

interface TimeProps {
  /** An ISO 8601 time; null when it has not happened. */
  at: string | null | undefined;
  /** Whether the exact time is shown, not how long ago it was. */
  exact?: boolean;
  /** The IANA name of the time zone; by default the browser's. */
  zone?: string;
}

/** A time as people say it, exact on hover. */
export function Time({ at, exact = false, zone }: TimeProps) {
  const now = useSyncExternalStore(subscribe, currentTick);
  if (!at) return strings.common.none;
  const exactText = formatDateTime(at, zone);
  return (
    <Tooltip label={exactText} disabled={exact}>
      <time dateTime={at} className="tabular">
        {exact ? exactText : formatRelative(at, now)}
      </time>
    </Tooltip>
  );
}

// One clock for all times of a page.
let tick = serviceNow();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function currentTick(): number {
  return tick;
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    tick = serviceNow();
    timer = setInterval(advance, TICK);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function advance(): void {
  tick = serviceNow();
  listeners.forEach((listener) => listener());
}

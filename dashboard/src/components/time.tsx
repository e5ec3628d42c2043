import { Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { formatDateTime, formatRelative } from '../format';
import { strings } from '../strings';

/** Milliseconds; what is nearer than that is "now". */
const TICK = 10_000;

interface TimeProps {
  /** ISO 8601, or null where it has not happened. */
  at: string | null | undefined;
  /** Shows the exact time instead of how long ago it is. */
  exact?: boolean;
  /** IANA name; the browser's when it is left out. */
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
let tick = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function currentTick(): number {
  return tick;
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    tick = Date.now();
    timer = setInterval(advance, TICK);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function advance(): void {
  tick = Date.now();
  listeners.forEach((listener) => listener());
}

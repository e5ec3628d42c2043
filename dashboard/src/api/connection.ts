import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** Between two tries whether the service is there again, in milliseconds. */
const PROBE_INTERVAL = 3_000;

let probing: ReturnType<typeof setTimeout> | undefined;

// Whether the service answers, not what the browser thinks of the network: a local service needs none.
onlineManager.setEventListener(() => undefined);

/** The service has answered. Queries that were paused go on by themselves. */
export function connectionIsUp(): void {
  clearTimeout(probing);
  probing = undefined;
  onlineManager.setOnline(true);
}

/** The service has not answered: queries pause, and `probe` is asked until it succeeds. */
export function connectionIsDown(probe: () => Promise<unknown>): void {
  onlineManager.setOnline(false);
  if (probing !== undefined) return;
  probing = setTimeout(() => {
    probing = undefined;
    // Success and failure are reported by the probe itself, which is a call like any other.
    probe().catch(() => undefined);
  }, PROBE_INTERVAL);
}

export function useIsConnected(): boolean {
  return useSyncExternalStore(onlineManager.subscribe.bind(onlineManager), () => onlineManager.isOnline());
}

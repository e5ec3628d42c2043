import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** Milliseconds between two checks whether the service is there again. */
const RETRY_INTERVAL = 3_000;

/** Milliseconds without any answer after which the service is asked whether it is there. */
const QUIET_LIMIT = 5_000;

/** Asks the service whether it is there, and reports the result like any call. */
type Probe = () => Promise<unknown>;

let probe: Probe | undefined;
let next: ReturnType<typeof setTimeout> | undefined;
let asking: Promise<void> | undefined;

// What counts is whether the service answers, not the browser's view of the network: a local service needs no network.
onlineManager.setEventListener(() => undefined);

/**
 * Watches the connection from now on, so that a page without requests notices a lost one too, even if nothing was
 * closed. A hidden page asks only while the connection is lost.
 */
export function watchConnection(by: Probe): void {
  probe = by;
  askIn(QUIET_LIMIT);
  document.addEventListener('visibilitychange', askIfVisible);
  // These are only hints, as the browser knows its own network alone.
  window.addEventListener('online', askIfVisible);
  window.addEventListener('offline', askIfVisible);
}

/** To be called when the service has answered. Paused queries go on by themselves. */
export function connectionIsUp(): void {
  onlineManager.setOnline(true);
  askIn(QUIET_LIMIT);
}

/** To be called when the service has not answered. Queries pause, and the service is asked until it answers. */
export function connectionIsDown(): void {
  const isNews = onlineManager.isOnline();
  onlineManager.setOnline(false);
  // Further failing calls must not delay the next try.
  if (isNews || next === undefined) askIn(RETRY_INTERVAL);
}

/** To be called while something is sent: a probe that waits behind it must not make the connection count as dead. */
export function lineIsBusy(): void {
  if (onlineManager.isOnline()) askIn(QUIET_LIMIT);
}

/** Asks the service. @returns whether it is there now */
export async function askWhetherItIsThere(): Promise<boolean> {
  asking ??= ask().finally(() => (asking = undefined));
  await asking;
  return onlineManager.isOnline();
}

/** Resolves when the service is there, at once unless the connection is known to be lost. */
export function connected(): Promise<void> {
  if (onlineManager.isOnline()) return Promise.resolve();
  return new Promise((resolve) => {
    const leave = onlineManager.subscribe((isUp) => {
      if (!isUp) return;
      leave();
      resolve();
    });
  });
}

export function useIsConnected(): boolean {
  return useSyncExternalStore(onlineManager.subscribe.bind(onlineManager), () => onlineManager.isOnline());
}

function askIn(milliseconds: number): void {
  clearTimeout(next);
  next = setTimeout(() => {
    next = undefined;
    const isOfInterest = document.visibilityState === 'visible' || !onlineManager.isOnline();
    if (isOfInterest) void askWhetherItIsThere();
  }, milliseconds);
}

function askIfVisible(): void {
  if (document.visibilityState === 'visible') void askWhetherItIsThere();
}

async function ask(): Promise<void> {
  try {
    await probe?.();
  } catch {
    // The call has already reported it by connectionIsUp() or connectionIsDown().
  }
}

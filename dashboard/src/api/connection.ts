import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** Milliseconds between two tries whether the service is there again. */
const RETRY_INTERVAL = 3_000;

/** Milliseconds without a word from the service after which it is asked whether it is there. */
const QUIET_LIMIT = 5_000;

/** Asks the service whether it is there; what comes of it is reported as for any call. */
type Probe = () => Promise<unknown>;

let probe: Probe | undefined;
let next: ReturnType<typeof setTimeout> | undefined;
let asking: Promise<void> | undefined;

// Whether the service answers, not what the browser thinks of the network: a local service needs none.
onlineManager.setEventListener(() => undefined);

/**
 * Keeps an eye on the connection from now on, so that a page that asks for nothing learns of a lost one too, also of
 * one that drops without a word. A hidden page asks only while the connection is lost.
 */
export function watchConnection(by: Probe): void {
  probe = by;
  askIn(QUIET_LIMIT);
  document.addEventListener('visibilitychange', askIfVisible);
  // Hints only: the browser knows of its own network.
  window.addEventListener('online', askIfVisible);
  window.addEventListener('offline', askIfVisible);
}

/** The service has been heard. Queries that were paused go on by themselves. */
export function connectionIsUp(): void {
  onlineManager.setOnline(true);
  askIn(QUIET_LIMIT);
}

/** The service has not answered: queries pause, and it is asked until it answers. */
export function connectionIsDown(): void {
  const isNews = onlineManager.isOnline();
  onlineManager.setOnline(false);
  // Calls that go on failing must not put off the next try.
  if (isNews || next === undefined) askIn(RETRY_INTERVAL);
}

/** Something goes over the line, which must not be taken for dead because a question would have to wait behind it. */
export function lineIsBusy(): void {
  if (onlineManager.isOnline()) askIn(QUIET_LIMIT);
}

/** @returns whether the service is there, as of now */
export async function askWhetherItIsThere(): Promise<boolean> {
  asking ??= ask().finally(() => (asking = undefined));
  await asking;
  return onlineManager.isOnline();
}

/** Resolves when the service is there, at once where nothing else is known. */
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
    // The call has reported it: connectionIsUp(), or connectionIsDown().
  }
}

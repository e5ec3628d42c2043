import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { lineSignal } from './api/client';
import { askWhetherItIsThere, connected } from './api/connection';

type Part<Props> = { default: ComponentType<Props> };

/** After so many failed tries while the service is there, code counts as gone; and milliseconds between two tries. */
const TRIES = 3;
const PAUSE = 500;

/**
 * A part of the page whose code is loaded when it is first shown. When the code does not come, the connection is lost,
 * and it is tried again until it comes. When it does not come although the service answers, its version was replaced:
 * the page is reloaded once, as the browser may also remember the failure.
 * @param name unique for each part
 */
export function lazyPart<Props>(
  name: string,
  load: () => Promise<Part<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => loadPart(name, load));
}

async function loadPart<Props>(name: string, load: () => Promise<Part<Props>>): Promise<Part<Props>> {
  for (let tries = 1; ; tries += 1) {
    try {
      const part = await endWithLine(load());
      noteReload(name, false);
      return part;
    } catch (error) {
      if (!(await askWhetherItIsThere())) tries = 0;
      else if (tries >= TRIES) return reload(name, error);
      await connected();
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

/**
 * Stops waiting when the connection turns out to be dead. A request for code cannot be aborted: it would wait for ever,
 * and keeps one of the browser's six connections.
 */
function endWithLine<T>(loading: Promise<T>): Promise<T> {
  const signal = lineSignal();
  signal.addEventListener('abort', stopLoading);
  return loading.finally(() => signal.removeEventListener('abort', stopLoading));
}

function stopLoading(): void {
  window.stop();
}

/** Reloads the page, unless that was already tried for this part. @throws the error of the part */
function reload(name: string, error: unknown): Promise<never> {
  if (wasReloaded(name) || !noteReload(name, true)) throw error;
  window.location.reload();
  return new Promise(() => undefined);
}

const slot = (name: string) => `reloaded:${name}`;

function wasReloaded(name: string): boolean {
  try {
    return sessionStorage.getItem(slot(name)) !== null;
  } catch {
    return true;
  }
}

/** @returns whether it could be noted: without storage, the page could be reloaded again and again */
function noteReload(name: string, isReloaded: boolean): boolean {
  try {
    if (isReloaded) sessionStorage.setItem(slot(name), '1');
    else sessionStorage.removeItem(slot(name));
    return true;
  } catch {
    return false;
  }
}

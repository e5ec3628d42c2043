import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { lineSignal } from './api/client';
import { askWhetherItIsThere, connected } from './api/connection';

type Part<Props> = { default: ComponentType<Props> };

/** So often code is tried in vain while the service is there, before it is taken for gone; and milliseconds between. */
const TRIES = 3;
const PAUSE = 500;

/**
 * A part of the page whose code is loaded when it is first shown. Code that does not come is a lost connection: it is
 * tried again until it is there. Code that does not come though the service answers is of a version that has been
 * replaced: the page is loaded anew, once, as the browser may also remember the failure.
 * @param name tells the parts apart
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
 * Ends the loading when the line turns out to be dead. A request for code can be ended in no other way, would wait for
 * ever, and keeps one of the browser's six connections.
 */
function endWithLine<T>(loading: Promise<T>): Promise<T> {
  const signal = lineSignal();
  signal.addEventListener('abort', stopLoading);
  return loading.finally(() => signal.removeEventListener('abort', stopLoading));
}

function stopLoading(): void {
  window.stop();
}

/** Loads the page anew, if that has not been tried for this part already. @throws what the part failed with */
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

/** @returns whether it could be noted: without a storage, the page could be loaded anew for ever */
function noteReload(name: string, isReloaded: boolean): boolean {
  try {
    if (isReloaded) sessionStorage.setItem(slot(name), '1');
    else sessionStorage.removeItem(slot(name));
    return true;
  } catch {
    return false;
  }
}

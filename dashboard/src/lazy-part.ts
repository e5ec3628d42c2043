import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { askWhetherItIsThere, connected, onReturn } from './api/connection';

type Part<Props> = { default: ComponentType<Props> };

/** So often code is tried in vain while the service is there, before it is taken for gone; and milliseconds between. */
const TRIES = 3;
const PAUSE = 500;

/** Milliseconds in which code that was under way when the line dropped comes after its return, or never. */
const LATE = 10_000;

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
      const part = await unlessStuck(load());
      noteReload(name, false);
      return part;
    } catch (error) {
      if (!(await askWhetherItIsThere())) tries = 0;
      else if (tries >= TRIES || error instanceof StuckError) return reload(name, error);
      await connected();
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

/** Was asked for over a connection that is gone. To ask again would only join the waiting. */
class StuckError extends Error {}

function unlessStuck<T>(loading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = onReturn(() => setTimeout(() => reject(new StuckError()), LATE));
    void loading.then(resolve, reject).finally(leave);
  });
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

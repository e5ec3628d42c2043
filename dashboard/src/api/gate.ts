/**
 * What every call needs from the session: its CSRF token, and a place to wait after it has ended. A call that gets a
 * 401 waits here until the user has signed in again in the dialog, and is then repeated, so that no input is lost.
 */
let csrfToken: string | undefined;
let waiting: { resume: () => void }[] = [];
const listeners = new Set<() => void>();

export const gate = {
  get csrfToken(): string | undefined {
    return csrfToken;
  },

  /** True while calls wait for a new session. */
  isGone: (): boolean => waiting.length > 0,

  /** To be called when there is a session (again): waiting calls go on. */
  open(token: string): void {
    csrfToken = token;
    const resumed = waiting;
    waiting = [];
    resumed.forEach(({ resume }) => resume());
    listeners.forEach((listener) => listener());
  },

  waitForSession(): Promise<void> {
    return new Promise((resolve) => {
      waiting = [...waiting, { resume: resolve }];
      listeners.forEach((listener) => listener());
    });
  },

  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

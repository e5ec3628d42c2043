/**
 * What every call needs of the session: its CSRF token, and a place to wait while it is gone. A call that is answered
 * 401 waits here until the user has signed in again in the dialog, and is then repeated: nothing typed is lost.
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

  /** There is a session (again): what waited goes on. */
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

/** How long until a stream that the browser has given up is tried again, in milliseconds. */
const REOPEN_DELAY = 15_000;

interface LiveStreamListener {
  /** The endpoint's whole answer. */
  onData(answer: unknown): void;
  /** The session has ended; resolves when there is one again. */
  onGone(): Promise<void>;
  /** Whether events arrive; while they do not, the listener looks for itself. */
  onFlow(isFlowing: boolean): void;
}

/**
 * Listens to a live endpoint while the tab is visible: browsers allow six connections to a host for all tabs together,
 * so a hidden one must not keep any. Returns what ends it.
 */
export function openLiveStream(url: string, listener: LiveStreamListener): () => void {
  let source: EventSource | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let hasEnded = false;

  const close = () => {
    clearTimeout(reopening);
    source?.close();
    source = undefined;
  };
  const open = () => {
    close();
    if (hasEnded || document.visibilityState === 'hidden') return;
    const opened = new EventSource(url);
    source = opened;
    opened.addEventListener('open', () => listener.onFlow(true));
    opened.addEventListener('data', (event: MessageEvent<string>) => listener.onData(JSON.parse(event.data)));
    opened.addEventListener('gone', () => {
      close();
      void listener.onGone().then(open);
    });
    opened.addEventListener('error', () => {
      listener.onFlow(false);
      // A connection that broke is opened again by the browser, a refused one is not.
      if (opened.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_DELAY);
    });
  };

  document.addEventListener('visibilitychange', open);
  open();
  return () => {
    hasEnded = true;
    document.removeEventListener('visibilitychange', open);
    close();
  };
}

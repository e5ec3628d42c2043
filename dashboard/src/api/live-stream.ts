import { onlineManager } from '@tanstack/react-query';
import { askWhetherItIsThere, connected, connectionIsUp } from './connection';

/** Milliseconds until a lost stream is opened again: the first time, and at most. */
const REOPEN_DELAY = 1_000;
const MAX_REOPEN_DELAY = 15_000;

/** Milliseconds without an event after which a stream is dead: the service sends a sign of life every five seconds. */
const SILENCE = 12_000;

interface LiveStreamListener {
  /** Gets the endpoint's whole answer. */
  onData(answer: unknown): void;
  /** Is called when the session has ended; resolves when there is a new one. */
  onGone(): Promise<void>;
  /** Gets whether events arrive; while they do not, the listener has to poll. */
  onFlow(isFlowing: boolean): void;
}

/**
 * Listens to a live endpoint while the tab is visible: browsers allow six connections to a host for all tabs together,
 * so a hidden tab must not keep one. A stream that breaks, ends or falls silent is opened again.
 * @returns a function that ends it
 */
export function openLiveStream(url: string, listener: LiveStreamListener): () => void {
  const stream = new LiveStream(url, listener);
  return () => stream.end();
}

class LiveStream {
  private source: EventSource | undefined;
  /** The timer after which the stream counts as dead or is opened again. */
  private timer: ReturnType<typeof setTimeout> | undefined;
  private losses = 0;
  private hasEnded = false;
  private readonly leaveConnection = onlineManager.subscribe((isUp) => !isUp && this.source && this.lose());

  constructor(
    private readonly url: string,
    private readonly listener: LiveStreamListener,
  ) {
    document.addEventListener('visibilitychange', this.open);
    this.open();
  }

  end(): void {
    this.hasEnded = true;
    document.removeEventListener('visibilitychange', this.open);
    this.leaveConnection();
    this.close();
  }

  private readonly open = (): void => {
    this.close();
    if (this.hasEnded || document.visibilityState === 'hidden') return;
    const source = new EventSource(this.url);
    this.source = source;
    this.expectEvent();
    source.addEventListener('alive', () => this.hear());
    source.addEventListener('data', (event: MessageEvent<string>) => {
      this.hear();
      this.listener.onData(JSON.parse(event.data));
    });
    source.addEventListener('gone', () => {
      this.close();
      void this.listener.onGone().then(this.open);
    });
    source.addEventListener('error', () => this.lose());
  };

  private hear(): void {
    this.losses = 0;
    this.expectEvent();
    connectionIsUp();
    this.listener.onFlow(true);
  }

  private expectEvent(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.lose(), SILENCE);
  }

  /** Handles a lost stream: asks whether the connection is lost too, which is then shown. */
  private lose(): void {
    this.close();
    this.listener.onFlow(false);
    const delay = Math.min(REOPEN_DELAY * 2 ** this.losses, MAX_REOPEN_DELAY);
    this.losses += 1;
    this.timer = setTimeout(() => void connected().then(this.open), delay);
    void askWhetherItIsThere();
  }

  private close(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = undefined;
  }
}

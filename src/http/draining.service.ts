import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';

/** Whether this process is about to stop: it still answers, and asks to be left alone. */
@Injectable()
export class DrainingService {
  private readonly draining = new AbortController();

  get hasBegun(): boolean {
    return this.draining.signal.aborted;
  }

  /** For requests that wait for something: they end when it begins. */
  get signal(): AbortSignal {
    return this.draining.signal;
  }

  /** From now on readiness fails, and each answer ends its connection. */
  begin(): void {
    this.draining.abort();
  }

  /** Makes callers open their next connection elsewhere, before this one is cut under a request of theirs. */
  closeConnection(response: ServerResponse): void {
    if (this.hasBegun) response.setHeader('Connection', 'close');
  }
}

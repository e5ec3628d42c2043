import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';

/** Whether this process is about to stop: it still answers, and asks to be left alone. */
@Injectable()
export class DrainingService {
  private begun = false;

  get hasBegun(): boolean {
    return this.begun;
  }

  /** From now on readiness fails, and each answer ends its connection. */
  begin(): void {
    this.begun = true;
  }

  /** Makes callers open their next connection elsewhere, before this one is cut under a request of theirs. */
  closeConnection(response: ServerResponse): void {
    if (this.begun) response.setHeader('Connection', 'close');
  }
}

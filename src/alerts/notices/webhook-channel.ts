import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent } from 'undici';
import { Config } from '../../config/config.js';
import type { Notice } from './notice.js';

/** Bytes of an answer that are read; nobody looks at them. */
const ANSWER_LIMIT = 16 * 1024;

/**
 * Posts to the operator's incoming webhook, in the form that Slack, Mattermost and others take: `{"text": …}`. The address is
 * the operator's own, so it may be a private one; redirects are not followed.
 */
@Injectable()
export class WebhookChannel implements OnApplicationShutdown {
  readonly name = 'webhook';
  private readonly agent = new Agent({ connect: { timeout: 10_000 } });

  constructor(private readonly config: Config) {}

  get isOn(): boolean {
    return this.config.ALERT_WEBHOOK_URL !== undefined;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  /** Posts once. Never throws. @returns why it was not taken; null when it was */
  async send({ text }: Notice, signal: AbortSignal): Promise<string | null> {
    const { origin, pathname, search } = new URL(this.config.ALERT_WEBHOOK_URL ?? '');
    try {
      const { statusCode, body } = await this.agent.request({
        origin,
        path: pathname + search,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Template-Messaging-Service' },
        body: JSON.stringify({ text }),
        signal,
      });
      await body.dump({ limit: ANSWER_LIMIT });
      return statusCode >= 200 && statusCode < 300 ? null : `the webhook answered with ${statusCode}`;
    } catch (error) {
      // Not the message, which may have the address, a secret: whoever has it can post.
      const { code = 'no answer' } = error as { code?: string };
      return signal.aborted
        ? 'the webhook did not answer in time'
        : `the webhook could not be reached (${code})`;
    }
  }
}

import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { Config } from '../../config/config.js';
import type { Notice } from './notice.js';

/** Milliseconds for a connection, for the server's greeting, and without a word of it later. */
const CONNECT_TIMEOUT = 10_000;
const SILENCE_TIMEOUT = 15_000;

/** Mails to the operator, by SMTP. */
@Injectable()
export class MailChannel {
  readonly name = 'mail';

  constructor(private readonly config: Config) {}

  get isOn(): boolean {
    return this.config.ALERT_SMTP_URL !== undefined;
  }

  /** Sends one mail, over a connection of its own. Never throws. @returns why it was not taken; null when it was */
  async send({ id, subject, text }: Notice, signal: AbortSignal): Promise<string | null> {
    const { ALERT_MAIL_FROM: from, ALERT_MAIL_TO: to } = this.config;
    try {
      await transportOf(this.config.ALERT_SMTP_URL ?? '').sendMail({
        from,
        to,
        subject,
        text,
        // The same for the same alerts, so that mail systems can tell a repetition.
        messageId: `<${createHash('sha256').update(`${id} ${text}`).digest('hex').slice(0, 32)}@tms-alerts>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal,
      });
      return null;
    } catch (error) {
      return faultOf(error, signal);
    }
  }
}

/** A password goes over TLS only, unless the server is on this machine. */
function transportOf(url: string) {
  const { hostname, username, protocol } = new URL(url);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return createTransport({
    url,
    requireTLS: protocol === 'smtp:' && username !== '' && !isHere,
    connectionTimeout: CONNECT_TIMEOUT,
    greetingTimeout: CONNECT_TIMEOUT,
    dnsTimeout: CONNECT_TIMEOUT,
    socketTimeout: SILENCE_TIMEOUT,
    socketCloseTimeout: 0,
  });
}

/** In words of ours: what a server answers may quote addresses, or what it was sent. */
function faultOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'the mail server did not take it in time';
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  const parts = [code ?? 'no connection', responseCode !== undefined && `answer ${responseCode}`];
  return `the mail server did not take it (${parts.filter((part) => part !== false).join(', ')})`;
}

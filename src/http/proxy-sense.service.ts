import type { IncomingMessage } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { forwardedHeaders, pageIsSecure } from './forwarded-headers.js';
import { Config } from '../config/config.js';

/** Says in the log, once each, what a request shows to be wrong between a proxy in front and TRUSTED_PROXIES. */
@Injectable()
export class ProxySenseService {
  private readonly logger = new Logger(ProxySenseService.name);
  private readonly said = new Set<string>();

  constructor(private readonly config: Config) {}

  /** @param secure whether the request came by TLS, as far as the service can tell; undefined where nobody asked */
  notice({ headers, socket }: IncomingMessage, secure?: boolean): void {
    const proxies = this.config.TRUSTED_PROXIES;
    const [ignored] = proxies === 0 ? forwardedHeaders(headers) : [];
    if (ignored) {
      this.warnOnce(
        `${ignored} came from ${socket.remoteAddress ?? 'a closed connection'}, and is not believed, as ` +
          'TRUSTED_PROXIES is 0. If a proxy stands in front of the service, all its callers count as one address, so ' +
          'that the limits for failed sign-ins and keys hit all of them together: set TRUSTED_PROXIES to the number of ' +
          'proxies. If none does, a caller has made the header up, and nothing is to be done.',
      );
    }
    if (secure === undefined || pageIsSecure(headers) === undefined || pageIsSecure(headers) === secure)
      return;
    this.warnOnce(
      secure
        ? 'A browser opened the dashboard over plain HTTP, but the proxy said HTTPS (X-Forwarded-Proto). It would drop ' +
            'a Secure cookie, so it got one without; have the proxy pass on the true scheme, and serve HTTPS only.'
        : 'A browser opened the dashboard over HTTPS, but the request came over plain HTTP and no trusted proxy said ' +
            'so: set TRUSTED_PROXIES to the number of proxies, and have them send X-Forwarded-Proto.',
    );
  }

  private warnOnce(message: string): void {
    if (this.said.has(message.slice(0, 40))) return;
    this.said.add(message.slice(0, 40));
    this.logger.warn(message);
  }
}

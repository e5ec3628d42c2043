import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../../config/config.js';
import { readCookie, writeCookie } from '../sessions/session-cookie.js';

/** Seconds for which a browser stays known after a user's last sign-in in it. */
const KNOWN_FOR = 400 * 24 * 3600; // browsers keep no cookie for longer

/**
 * Browsers in which a user has signed in before. A cookie shows this, for that user alone. It gives a single right:
 * failures in this browser are counted apart from those of strangers (OWASP's "device cookies").
 */
@Injectable()
export class KnownBrowsersService {
  constructor(private readonly config: Config) {}

  /** The id of the browser, if the user has signed in there before; null otherwise. */
  read(request: Request, email: string): string | null {
    const [id = '', given = ''] = (readCookie(request, this.nameFor(email)) ?? '').split('.');
    const [expected, actual] = [Buffer.from(this.proof(email, id)), Buffer.from(given)];
    return expected.length === actual.length && timingSafeEqual(expected, actual) ? id : null;
  }

  /** Lets the browser be known from now on, under a new id. */
  remember(request: Request, response: Response, email: string): void {
    const id = randomBytes(16).toString('base64url');
    writeCookie(request, response, this.nameFor(email), `${id}.${this.proof(email, id)}`, KNOWN_FOR);
  }

  /** The cookie's name. Each user has a cookie of their own, as several may share a browser. */
  private nameFor(email: string): string {
    return `tms_known_${this.keyed(`known name ${email}`).slice(0, 12)}`;
  }

  private proof(email: string, id: string): string {
    return this.keyed(`known ${id} ${email}`);
  }

  private keyed(text: string): string {
    return createHmac('sha256', this.config.DASHBOARD_SESSION_SECRET).update(text).digest('hex');
  }
}

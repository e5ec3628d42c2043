import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { readSessionCookie } from '../sessions/session-cookie.js';
import type { SessionRequest, SessionUser } from '../sessions/session-user.js';
import { SessionsService } from '../sessions/sessions.service.js';

/** Milliseconds for which a session is not asked for again, whatever number of its streams want to know. */
const FRESH = 900;

/** Sessions that are remembered. */
const SESSIONS = 10_000;

/** What has become of the session that a stream began with: `changed` is the user's role, or what else the user may see. */
export type Rights = 'same' | 'changed' | 'gone';

/** Tells whether those who follow live views may still do so; a session is asked for once a second. */
@Injectable()
export class LiveSessions {
  private readonly looks = new LRUCache<string, Promise<SessionUser | null>>({ max: SESSIONS, ttl: FRESH });

  constructor(private readonly sessions: SessionsService) {}

  /** What is not known, as the database is out, has not changed. */
  async rightsOf(request: SessionRequest, before: SessionUser): Promise<Rights> {
    try {
      const user = await this.find(readSessionCookie(request) ?? '');
      if (!user) return 'gone';
      const { tenantId, role, operator } = user;
      const isSame = tenantId === before.tenantId && role === before.role && operator === before.operator;
      return isSame ? 'same' : 'changed';
    } catch {
      return 'same';
    }
  }

  private find(token: string): Promise<SessionUser | null> {
    const look = this.looks.get(token) ?? this.sessions.find(token);
    if (!this.looks.has(token)) this.looks.set(token, look);
    return look;
  }
}

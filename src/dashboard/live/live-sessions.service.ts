import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { readSessionCookie } from '../sessions/session-cookie.js';
import type { SessionRequest, SessionUser } from '../sessions/session-user.js';
import { SessionsService } from '../sessions/sessions.service.js';

/** Milliseconds for which a session is not looked up again, however many streams it has. */
const FRESH = 900;

/** How many sessions are remembered. */
const SESSIONS = 10_000;

/** The state of a stream's session. `changed`: the user's role, or what else decides what the user may see. */
export type Rights = 'same' | 'changed' | 'gone';

/** Tells whether followers of live views may still follow them. Each session is looked up once a second. */
@Injectable()
export class LiveSessionsService {
  private readonly looks = new LRUCache<string, Promise<SessionUser | null>>({ max: SESSIONS, ttl: FRESH });

  constructor(private readonly sessions: SessionsService) {}

  /** Says `same` while the database is down, as nothing is known of a change. */
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

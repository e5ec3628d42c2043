import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Not, Repository } from 'typeorm';
import type { DashboardUser } from '../../accounts/dashboard-user.entity.js';
import { DashboardUsersService } from '../../accounts/dashboard-users.service.js';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/config.js';
import { DashboardSession } from './dashboard-session.entity.js';
import type { SessionUser } from './session-user.js';

const HOUR = 3_600_000;

/** Milliseconds after which an unused session ends, and after which every session ends. */
const IDLE_LIMIT = 12 * HOUR;
export const SESSION_LIMIT = 7 * 24 * HOUR;

/** A session's use is written down at most this often, in milliseconds. */
const SEEN_STEP = 60_000;

/**
 * Signed-in browsers: a random token in a cookie, its keyed hash in PostgreSQL, so that any process knows it. Not by
 * `express-session` and `connect-pg-simple` (10.0.0), which store what is in the cookie, not its hash, know no user by
 * which sessions could be ended, and make a session anew that was ended during a request which changed it. They go by
 * people's time: moving the sandbox's clock signs nobody out.
 */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(DashboardSession) private readonly sessions: Repository<DashboardSession>,
    private readonly users: DashboardUsersService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Begins a session of a user who has shown who they are. @returns the token for the cookie */
  async start(user: DashboardUser): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const now = this.clock.real();
    const expiresAt = new Date(now.getTime() + SESSION_LIMIT);
    await this.sessions.delete({ expiresAt: LessThan(now) });
    await this.sessions.insert({
      userId: user.id,
      tokenHash: this.hash(token),
      createdAt: now,
      lastSeenAt: now,
      expiresAt,
    });
    await this.users.seen(user.id, now);
    return token;
  }

  /** Who the token belongs to, or null when it is unknown, ended or idle for too long. */
  async find(token: string): Promise<SessionUser | null> {
    const session = await this.sessions.findOne({
      where: { tokenHash: this.hash(token) },
      relations: { user: true },
    });
    if (!session?.user) return null;
    const now = this.clock.real().getTime();
    if (session.expiresAt.getTime() <= now || session.lastSeenAt.getTime() + IDLE_LIMIT <= now) return null;
    const { id, tenantId, email, role, operator } = session.user;
    return { sessionId: session.id, userId: id, tenantId, email, role, operator };
  }

  /** Notes that the session is in use, which keeps it alive. */
  async touch({ sessionId, userId }: SessionUser): Promise<void> {
    const now = this.clock.real();
    const due = LessThan(new Date(now.getTime() - SEEN_STEP));
    const { affected } = await this.sessions.update({ id: sessionId, lastSeenAt: due }, { lastSeenAt: now });
    if (affected) await this.users.seen(userId, now);
  }

  async end(sessionId: string): Promise<void> {
    await this.sessions.delete({ id: sessionId });
  }

  /** Signs the user out on every device, or on every other one. */
  async endAll(userId: string, { except }: { except?: string } = {}): Promise<void> {
    await this.sessions.delete({ userId, ...(except !== undefined && { id: Not(except) }) });
  }

  /** The token that the page sends with each change, to show that the request comes from our page. */
  csrfToken(token: string): string {
    return this.keyed(`csrf ${token}`);
  }

  isCsrfToken(token: string, given: string): boolean {
    const expected = Buffer.from(this.csrfToken(token));
    const actual = Buffer.from(given);
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  }

  private hash(token: string): string {
    return this.keyed(`session ${token}`);
  }

  private keyed(text: string): string {
    return createHmac('sha256', this.config.DASHBOARD_SESSION_SECRET).update(text).digest('hex');
  }
}

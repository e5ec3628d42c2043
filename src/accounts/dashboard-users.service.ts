import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { hash, verify } from '@node-rs/argon2';
import { Repository } from 'typeorm';
import { ApiError } from '../common/errors.js';
import { Turns } from '../common/turns.js';
import { Database, type Statement } from '../database/database.js';
import { DashboardUser, type DashboardRole } from './dashboard-user.entity.js';
import { checkPassword } from './password-check.js';

/** How long a password may wait to be compared, in milliseconds: each comparison takes a thread, time and 19 MiB. */
const PATIENCE = 10_000;

/** People who may sign in to the dashboard; passwords are kept as argon2id hashes. */
@Injectable()
export class DashboardUsersService {
  /** A hash to compare with when there is no such user, so that the time of the answer does not reveal it. */
  private readonly nobody = hash('nobody');

  /** Compares few passwords at a time, so that a flood of sign-ins leaves threads for other work. */
  private readonly turns = new Turns({
    atOnce: 2,
    late: () => new ApiError('RATE_LIMITED', 'Too many are signing in at the moment. Try again.', [], 5),
  });

  constructor(
    @InjectRepository(DashboardUser) private readonly users: Repository<DashboardUser>,
    private readonly database: Database,
  ) {}

  exists(email: string): Promise<boolean> {
    return this.users.existsBy({ email: email.toLowerCase() });
  }

  /** @throws ApiError VALIDATION_FAILED when the address is taken, or the password easily guessed */
  async create(
    tenantId: string,
    email: string,
    password: string,
    { role = 'owner', operator = false }: { role?: DashboardRole; operator?: boolean } = {},
  ): Promise<DashboardUser> {
    const address = email.toLowerCase();
    if (await this.exists(address)) {
      throw new ApiError('VALIDATION_FAILED', 'There is a user with this email already.', [
        { field: 'email' },
      ]);
    }
    await checkPassword(password, address);
    // The library's defaults are argon2id with OWASP's parameters.
    const passwordHash = await hash(password);
    return this.users.save(this.users.create({ tenantId, email: address, passwordHash, role, operator }));
  }

  /** The user, if the password is right; null otherwise. @throws ApiError RATE_LIMITED during a flood of sign-ins */
  async verify(email: string, password: string): Promise<DashboardUser | null> {
    const user = await this.users.findOneBy({ email: email.toLowerCase() });
    const expected = user?.passwordHash ?? (await this.nobody);
    const fits = await this.turns.run('verify', PATIENCE, () => verify(expected, password));
    return fits ? user : null;
  }

  /** The tenant's users, by e-mail address. */
  async list(tenantId: string): Promise<DashboardUser[]> {
    return this.users.find({ where: { tenantId }, order: { email: 'ASC' } });
  }

  /**
   * A user of the tenant.
   * @throws ApiError NOT_FOUND, for another tenant's too
   */
  async find(tenantId: string, id: string): Promise<DashboardUser> {
    const user = await this.users.findOneBy({ tenantId, id });
    if (user) return user;
    throw new ApiError('NOT_FOUND', 'There is no such user.', [{ field: 'user_id' }]);
  }

  /** A user of whatever tenant, for those who run the service. */
  findAnywhere(by: { id: string } | { email: string }): Promise<DashboardUser | null> {
    return this.users.findOneBy('id' in by ? by : { email: by.email.toLowerCase() });
  }

  /** @throws ApiError NOT_FOUND, CONFLICT when no owner would be left */
  async changeRole(tenantId: string, id: string, role: DashboardRole): Promise<void> {
    await this.keepAnOwner(tenantId, id, CHANGE_ROLE, [tenantId, id, role]);
  }

  /**
   * Removes a user with all sessions.
   * @throws ApiError NOT_FOUND, CONFLICT when no owner would be left
   */
  async remove(tenantId: string, id: string): Promise<void> {
    await this.keepAnOwner(tenantId, id, REMOVE, [tenantId, id]);
  }

  /** @throws ApiError VALIDATION_FAILED when the password is easily guessed */
  async setPassword({ id, email }: { id: string; email: string }, password: string): Promise<void> {
    await checkPassword(password, email);
    await this.users.update({ id }, { passwordHash: await hash(password) });
  }

  /** One change of a tenant's users at a time, so that two owners who remove each other do not both succeed. */
  private async keepAnOwner(
    tenantId: string,
    id: string,
    change: Statement,
    values: unknown[],
  ): Promise<void> {
    const changed = await this.database.transaction(async (connection) => {
      await connection.run(LOCK_TENANT, [tenantId]);
      return connection.run(change, values);
    });
    if (changed.length > 0) return;
    await this.find(tenantId, id);
    throw new ApiError('CONFLICT', 'This is the last owner: make somebody else an owner first.', [
      { field: 'user_id' },
    ]);
  }

  /** Notes that the user was here. */
  async seen(id: string, at: Date): Promise<void> {
    await this.users.update({ id }, { lastSeenAt: at });
  }
}

const LOCK_TENANT: Statement = {
  name: 'dashboard_users_lock_tenant',
  text: 'SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
};

const OTHER_OWNER = `EXISTS (
  SELECT FROM dashboard_users o WHERE o.tenant_id = $1 AND o.role = 'owner' AND o.id <> u.id)`;

/** From any role to any other; nothing is returned for the last owner, and for no such user. */
const CHANGE_ROLE: Statement = {
  name: 'dashboard_users_change_role',
  text: `
    UPDATE dashboard_users u SET role = $3
    WHERE u.tenant_id = $1 AND u.id = $2 AND ($3 = 'owner' OR u.role <> 'owner' OR ${OTHER_OWNER})
    RETURNING u.id`,
};

/** The user's sessions are deleted too. Returns nothing for the last owner, and when there is no such user. */
const REMOVE: Statement = {
  name: 'dashboard_users_remove',
  text: `
    DELETE FROM dashboard_users u
    WHERE u.tenant_id = $1 AND u.id = $2 AND (u.role <> 'owner' OR ${OTHER_OWNER}) RETURNING u.id`,
};

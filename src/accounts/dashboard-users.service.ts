import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { hash } from '@node-rs/argon2';
import { Repository } from 'typeorm';
import { ApiError } from '../common/errors.js';
import { DashboardUser } from './dashboard-user.entity.js';

/** People who may sign in to the dashboard; passwords are kept as argon2id hashes. */
@Injectable()
export class DashboardUsersService {
  constructor(@InjectRepository(DashboardUser) private readonly users: Repository<DashboardUser>) {}

  exists(email: string): Promise<boolean> {
    return this.users.existsBy({ email: email.toLowerCase() });
  }

  /** @throws ApiError VALIDATION_FAILED when the address is taken */
  async create(tenantId: string, email: string, password: string): Promise<DashboardUser> {
    const address = email.toLowerCase();
    if (await this.exists(address)) {
      throw new ApiError('VALIDATION_FAILED', 'There is a user with this email already.', [
        { field: 'email' },
      ]);
    }
    // The library's defaults are argon2id with OWASP's parameters.
    return this.users.save(
      this.users.create({ tenantId, email: address, passwordHash: await hash(password) }),
    );
  }
}

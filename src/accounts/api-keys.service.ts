import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { In, IsNull, Repository } from 'typeorm';
import { Clock } from '../common/clock.js';
import { ApiError } from '../common/errors.js';
import { randomBase62 } from '../common/random.js';
import { gatheredReads } from '../database/gathered-reads.js';
import { SharedCaches } from '../database/shared-cache.js';
import { ApiKey } from './api-key.entity.js';
import { inOrder, type Scope, SCOPES } from './domain/scopes.js';
import { ApiKeyUsesService } from './api-key-uses.service.js';
import { Tenant } from './tenant.entity.js';

const CACHE = 'api_keys';

/** How many unknown keys are remembered as unknown, for some seconds. */
const ABSENT_KEYS = 10_000;

/** How many keys are remembered as seen to be valid. */
const FAMILIAR_KEYS = 10_000;

const KEY_SHAPE = /^tms_[A-Za-z0-9]{40}$/;
const UUID_SHAPE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Who a request acts for. */
export interface Caller {
  apiKeyId: string;
  tenantId: string;
  /** What the key may do. */
  scopes: readonly Scope[];
}

/** What a key is limited to when it is made: until when it works, and what it may do. */
export interface KeyLimits {
  /** Null for a key that does not expire. */
  expiresAt?: Date | null;
  /** All of them by default. */
  scopes?: readonly Scope[];
}

/** Issues, revokes and checks API keys: `tms_` and 40 characters, stored as their SHA-256 only. */
@Injectable()
export class ApiKeysService {
  private readonly byHash;
  private readonly valid;
  private readonly tenants;
  /** Hashes of keys that were valid when they were last looked up. */
  private readonly familiar = new LRUCache<string, true>({ max: FAMILIAR_KEYS });

  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    @InjectRepository(Tenant) private readonly tenantRows: Repository<Tenant>,
    private readonly clock: Clock,
    private readonly caches: SharedCaches,
    private readonly uses: ApiKeyUsesService,
  ) {
    this.valid = gatheredReads(
      (hashes: string[]) => this.keys.findBy({ keyHash: In(hashes), revokedAt: IsNull() }),
      (key, keyHash) => key.keyHash === keyHash,
    );
    this.byHash = caches.create(CACHE, (keyHash) => this.lookUp(keyHash), {
      absent: ABSENT_KEYS,
      renews: true,
    });
    this.tenants = caches.create('tenants', (id) => this.tenantRows.findOneBy({ id }));
  }

  /** The valid key with this hash, or null. In either case PostgreSQL is asked once in some seconds at most. */
  async find(keyHash: string): Promise<ApiKey | null> {
    const key = await this.byHash.get(keyHash);
    if (!key || (key.expiresAt && key.expiresAt <= this.clock.now())) return null;
    this.uses.note(key.id);
    return key;
  }

  /** Whether this process has seen the key with this hash to be valid. It may have been revoked since. */
  isFamiliar(keyHash: string): boolean {
    return this.familiar.get(keyHash) ?? false;
  }

  /**
   * The tenant that a request acts for, by its key and its `X-TENANT-ID` header.
   * @throws ApiError TENANT_FORBIDDEN
   */
  async selectTenant(key: ApiKey, requested: string | undefined): Promise<string> {
    if (key.tenantId) {
      if (!requested || requested.toLowerCase() === key.tenantId) return key.tenantId;
      throw new ApiError('TENANT_FORBIDDEN', 'This API key may not act for the tenant in X-TENANT-ID.');
    }
    if (!requested) return this.onlyTenant();
    const tenant = UUID_SHAPE.test(requested) ? await this.tenants.get(requested.toLowerCase()) : null;
    if (!tenant)
      throw new ApiError('TENANT_FORBIDDEN', 'This API key may not act for the tenant in X-TENANT-ID.');
    return tenant.id;
  }

  /** Makes a key; the answer is the only time that it can be read. A null tenant makes a platform key. */
  async create(tenantId: string | null, name: string, limits: KeyLimits = {}) {
    const key = `tms_${randomBase62(40)}`;
    return { id: await this.store(key, tenantId, name, limits), key };
  }

  /** Stores a key whose text is given: that of the demo, which stays the same after a restart. */
  async store(
    key: string,
    tenantId: string | null,
    name: string,
    { expiresAt = null, scopes = SCOPES }: KeyLimits = {},
  ): Promise<string> {
    const keyHash = hash(key);
    const row = await this.keys.save(
      this.keys.create({ tenantId, name, keyHash, expiresAt, scopes: inOrder(scopes) }),
    );
    await this.caches.changed(CACHE, keyHash);
    return row.id;
  }

  /** Whether the key was ever stored, revoked or not. */
  exists(key: string): Promise<boolean> {
    return this.keys.existsBy({ keyHash: hash(key) });
  }

  /** Whether there is a key with this id, revoked or not, that is the tenant's; or, where these count, a platform key. */
  async actsFor(id: string, tenantId: string, platformKeys: boolean): Promise<boolean> {
    if (!UUID_SHAPE.test(id)) return false;
    return this.keys.existsBy([{ id, tenantId }, ...(platformKeys ? [{ id, tenantId: IsNull() }] : [])]);
  }

  /** The tenant's keys, newest first; platform keys belong to none. */
  async list(tenantId: string): Promise<ApiKey[]> {
    return this.keys.find({ where: { tenantId }, order: { createdAt: 'DESC', id: 'ASC' } });
  }

  /**
   * Ends a key at once on every process; when a tenant is given, only one of its own.
   * @returns false when there is no such key
   */
  async revoke(id: string, tenantId?: string): Promise<boolean> {
    if (!UUID_SHAPE.test(id)) return false;
    const key = await this.keys.findOneBy({ id, ...(tenantId !== undefined && { tenantId }) });
    if (!key) return false;
    await this.keys.update({ id, revokedAt: IsNull() }, { revokedAt: this.clock.now() });
    await this.caches.changed(CACHE, key.keyHash);
    return true;
  }

  private async lookUp(keyHash: string): Promise<ApiKey | null> {
    const key = await this.valid(keyHash);
    if (key) this.familiar.set(keyHash, true);
    else this.familiar.delete(keyHash);
    return key;
  }

  private async onlyTenant(): Promise<string> {
    const tenants = await this.tenantRows.find({ select: { id: true }, take: 2 });
    if (tenants.length === 1 && tenants[0]) return tenants[0].id;
    throw new ApiError(
      'TENANT_FORBIDDEN',
      'A platform key acts for several tenants: name one in X-TENANT-ID.',
    );
  }
}

/** The hash of the key in an `Authorization` header; null when there is none that has the form of a key. */
export function keyHashOf(authorization: string | undefined): string | null {
  const key = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return key && KEY_SHAPE.test(key) ? hash(key) : null;
}

function hash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

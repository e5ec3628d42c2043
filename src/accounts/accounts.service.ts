import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, Repository } from 'typeorm';
import { ApiError } from '../common/errors.js';
import { randomBase62 } from '../common/random.js';
import { gatheredReads } from '../database/gathered-reads.js';
import { SharedCaches } from '../database/shared-cache.js';
import { ACCOUNT_CACHES as CACHES } from './account-caches.js';
import type { AuthInternational } from './auth-international.js';
import { registeredOnce } from './registered-once.js';
import { BusinessAccount } from './business-account.entity.js';
import { MessagingAccount } from './messaging-account.entity.js';
import { SecretBox } from './secret-box.js';
import { Tenant } from './tenant.entity.js';

/** A sending number, with what a send needs to know of its business account and tenant. */
export interface SendingAccount {
  id: number;
  apiId: string;
  tenantId: string;
  businessAccountId: string;
  phoneNumberId: string;
  /** Digits only. */
  phone: string;
  /** A decimal as text. */
  markupPercent: string;
  /** Of its business account. */
  authInternational: AuthInternational | null;
}

/** A business account with its secrets in the clear; never logged, never answered. */
export interface BusinessAccountSecrets {
  id: string;
  tenantId: string;
  wabaId: string;
  appId: string | null;
  accessToken: string;
  appSecret: string;
  /** When it was added. */
  createdAt: Date;
}

/** How many secrets are decrypted before the event loop serves others: about a millisecond's work. */
const AT_ONCE = 200;

/** Tenants, business accounts and numbers. */
@Injectable()
export class AccountsService {
  private readonly readByApiId;
  private readonly numbersByApiId;
  private readonly onlyNumbers;
  private readonly numbersById;
  private readonly secretsById;
  private readonly secretsByWaba;
  private readonly allAppSecrets;
  private readonly allWabaIds;

  constructor(
    @InjectRepository(Tenant) private readonly tenants: Repository<Tenant>,
    @InjectRepository(BusinessAccount) private readonly businessAccounts: Repository<BusinessAccount>,
    @InjectRepository(MessagingAccount) private readonly numbers: Repository<MessagingAccount>,
    private readonly secrets: SecretBox,
    private readonly caches: SharedCaches,
  ) {
    this.readByApiId = gatheredReads(
      (apiIds: string[]) => this.readNumbers({ apiId: In(apiIds) }),
      (number, apiId) => number.apiId === apiId,
    );
    const byId = gatheredReads(
      (ids: number[]) => this.readNumbers({ id: In(ids) }),
      (number, id) => number.id === id,
    );
    this.numbersByApiId = caches.create(CACHES.numbersByApiId, this.readByApiId, { renews: true });
    this.numbersById = caches.create(CACHES.numbersById, (id) => byId(Number(id)), { renews: true });
    this.onlyNumbers = caches.create(CACHES.onlyNumbers, (tenantId) => this.findOnlyNumber(tenantId));
    const secretsById = gatheredReads(
      (ids: string[]) => this.readSecrets({ id: In(ids) }),
      (account, id) => account.id === id,
    );
    const secretsByWaba = gatheredReads(
      (wabaIds: string[]) => this.readSecrets({ wabaId: In(wabaIds) }),
      (account, wabaId) => account.wabaId === wabaId,
    );
    this.secretsById = caches.create(CACHES.secretsById, secretsById, { renews: true });
    this.secretsByWaba = caches.create(CACHES.secretsByWaba, secretsByWaba, { renews: true });
    this.allAppSecrets = caches.create(CACHES.appSecrets, () => this.findAppSecrets());
    this.allWabaIds = caches.create(CACHES.wabaIds, () => this.findWabaIds());
  }

  /**
   * A number of the tenant, by its API id.
   * @throws ApiError ACCOUNT_NOT_FOUND, for another tenant's number too
   */
  async find(tenantId: string, apiId: string): Promise<SendingAccount> {
    const account = await this.numbersByApiId.get(apiId);
    if (account?.tenantId === tenantId) return account;
    throw new ApiError(
      'ACCOUNT_NOT_FOUND',
      'There is no messaging account with this id; see the numbers in the dashboard.',
      [{ field: 'messaging_account_id' }],
    );
  }

  /**
   * The number of a tenant that has exactly one.
   * @throws ApiError MESSAGING_ACCOUNT_REQUIRED
   */
  async findOnly(tenantId: string): Promise<SendingAccount> {
    const account = await this.onlyNumbers.get(tenantId);
    if (account) return account;
    throw new ApiError(
      'MESSAGING_ACCOUNT_REQUIRED',
      'Name the account to send from in messaging_account_id: the tenant does not have exactly one.',
      [{ field: 'messaging_account_id' }],
    );
  }

  /** A number of whatever tenant; for those who administer all of them. */
  async findByApiId(apiId: string): Promise<SendingAccount | null> {
    return this.numbersByApiId.get(apiId);
  }

  async findById(id: number): Promise<SendingAccount | null> {
    return this.numbersById.get(String(id));
  }

  /** Removes the number from this process' caches, after the database has shown that it changed. */
  forget({ id, apiId, tenantId }: Pick<SendingAccount, 'id' | 'apiId' | 'tenantId'>): void {
    this.numbersByApiId.forget(apiId);
    this.numbersById.forget(String(id));
    this.onlyNumbers.forget(tenantId);
  }

  async secretsOf(businessAccountId: string): Promise<BusinessAccountSecrets | null> {
    return this.secretsById.get(businessAccountId);
  }

  async secretsOfWaba(wabaId: string): Promise<BusinessAccountSecrets | null> {
    return this.secretsByWaba.get(wabaId);
  }

  /**
   * Which of these WABA ids belong to business accounts; one added a moment ago may be missing. They are looked up in a
   * list that a process reads again every few seconds at most, so that made-up ids cause no query.
   */
  async familiarWabas(wabaIds: string[]): Promise<string[]> {
    const familiar = await this.allWabaIds.get('');
    return wabaIds.filter((wabaId) => familiar?.has(wabaId));
  }

  /** Which of these WABA ids belong to business accounts, the newest included. */
  async knownWabas(wabaIds: string[]): Promise<string[]> {
    const familiar = await this.familiarWabas(wabaIds);
    if (familiar.length === wabaIds.length) return familiar;
    const rows = await this.businessAccounts.find({
      select: { id: true, wabaId: true },
      where: { wabaId: In(wabaIds) },
    });
    return rows.map(({ wabaId }) => wabaId);
  }

  /** The distinct app secrets of all business accounts, in the clear. */
  async appSecrets(): Promise<string[]> {
    return (await this.allAppSecrets.get('')) ?? [];
  }

  async createTenant(name: string, markupPercent = '0'): Promise<Tenant> {
    return this.tenants.save(this.tenants.create({ name, markupPercent }));
  }

  async findTenant(id: string): Promise<Tenant | null> {
    return this.tenants.findOneBy({ id });
  }

  async addBusinessAccount(fields: {
    tenantId: string;
    wabaId: string;
    appId: string | null;
    accessToken: string;
    appSecret: string;
  }): Promise<BusinessAccount> {
    const row = this.businessAccounts.create({
      ...fields,
      accessToken: this.secrets.seal(fields.accessToken),
      appSecret: this.secrets.seal(fields.appSecret),
    });
    const saved = await registeredOnce(() => this.businessAccounts.save(row));
    await this.caches.changed(CACHES.secretsByWaba, fields.wabaId);
    await this.caches.changed(CACHES.wabaIds);
    await this.caches.changed(CACHES.appSecrets);
    return saved;
  }

  async addNumber(
    businessAccount: Pick<BusinessAccount, 'id' | 'tenantId'>,
    fields: { phoneNumberId: string; phone: string; name: string; messagesPerSecond: number; apiId?: string },
  ): Promise<MessagingAccount> {
    const row = this.numbers.create({
      apiId: `acc_${randomBase62(20)}`,
      ...fields,
      tenantId: businessAccount.tenantId,
      businessAccountId: businessAccount.id,
    });
    const saved = await registeredOnce(() => this.numbers.save(row));
    await this.caches.changed(CACHES.onlyNumbers, businessAccount.tenantId);
    return saved;
  }

  /** The ids of all numbers of this number's business account, its own included. */
  async numbersBeside(id: number): Promise<number[]> {
    const account = await this.findById(id);
    if (!account) return [];
    const rows = await this.numbers.findBy({ businessAccountId: account.businessAccountId });
    return rows.map((row) => row.id);
  }

  /** The tenant's numbers, in the order in which they were added. */
  async numbersOf(tenantId: string): Promise<MessagingAccount[]> {
    return this.numbers.find({ where: { tenantId }, order: { id: 'ASC' } });
  }

  async findBusinessAccount(id: string): Promise<BusinessAccount | null> {
    return this.businessAccounts.findOneBy({ id });
  }

  private async readNumbers(where: FindOptionsWhere<MessagingAccount>): Promise<SendingAccount[]> {
    const rows = await this.numbers.find({ where, relations: { tenant: true, businessAccount: true } });
    return rows.flatMap(({ tenant, businessAccount, ...number }) => {
      if (!tenant || !businessAccount) return [];
      const { id, apiId, tenantId, businessAccountId, phoneNumberId, phone } = number;
      const { markupPercent } = tenant;
      const { authInternational } = businessAccount;
      return {
        id,
        apiId,
        tenantId,
        businessAccountId,
        phoneNumberId,
        phone,
        markupPercent,
        authInternational,
      };
    });
  }

  private async findOnlyNumber(tenantId: string): Promise<SendingAccount | null> {
    const rows = await this.numbers.find({ where: { tenantId }, take: 2 });
    return rows.length === 1 && rows[0] ? this.readByApiId(rows[0].apiId) : null;
  }

  private async findAppSecrets(): Promise<string[]> {
    const rows = await this.businessAccounts.find({ select: { id: true, appSecret: true } });
    const secrets = new Set<string>();
    for (const [index, { appSecret }] of rows.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
      secrets.add(this.secrets.open(appSecret));
    }
    return [...secrets];
  }

  private async findWabaIds(): Promise<Set<string>> {
    const all = this.businessAccounts.createQueryBuilder('b').select('json_agg(b.waba_id)', 'ids');
    return new Set((await all.getRawOne<{ ids: string[] | null }>())?.ids);
  }

  private async readSecrets(where: FindOptionsWhere<BusinessAccount>): Promise<BusinessAccountSecrets[]> {
    const rows = await this.businessAccounts.findBy(where);
    return rows.map((row) => {
      const { id, tenantId, wabaId, appId, createdAt } = row;
      const accessToken = this.secrets.open(row.accessToken);
      const appSecret = this.secrets.open(row.appSecret);
      return { id, tenantId, wabaId, appId, accessToken, appSecret, createdAt };
    });
  }
}

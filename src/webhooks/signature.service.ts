import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { ApiError } from '../common/errors.js';
import { parseWireJson } from '../provider/wire-json.js';
import { accountsNamed, TEST_ACCOUNT } from './domain/read-webhook.js';
import { UnknownAccounts } from './unknown-accounts.js';

/** Entries of one delivery at most; the provider sends up to 1,000 updates. */
const MAX_ENTRIES = 1_000;

/** Accounts that are looked up one by one, mostly in the cache; of more, anyone could make up as many as fit in. */
const FEW = 20;

/** Bytes of a test delivery at most: its signature is compared with every app secret there is. */
const MOST_TEST_BYTES = 16 * 1024;

/** A delivery whose signature fits. */
export interface GenuineDelivery {
  /** The business accounts that it names and the service knows. */
  accountIds: string[];
  /** Parsed. */
  delivery: unknown;
  /** From the provider's console: to be answered, and nothing else. */
  isTest: boolean;
}

/** Tells whether a delivery comes from the provider. */
@Injectable()
export class SignatureService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly unknown: UnknownAccounts,
  ) {}

  /**
   * Checks the signature over the raw bytes with the app secret of every business account that the delivery names and
   * the service knows. One that is not known may stand beside these.
   * @throws ApiError UNAUTHORIZED when one does not fit or none is known, INVALID_JSON
   */
  async verify(body: Buffer, signature: string | undefined): Promise<GenuineDelivery> {
    const given = Buffer.from(/^sha256=([0-9a-f]{64})$/i.exec(signature ?? '')?.[1] ?? '', 'hex');
    if (given.length === 0) throw unauthorized();
    const delivery = parsed(body);
    const entries = (delivery as { entry?: unknown } | null)?.entry;
    if (!Array.isArray(entries) || entries.length > MAX_ENTRIES) throw unauthorized();
    const wabaIds = accountsNamed(delivery);
    if (wabaIds.length > MAX_ENTRIES) throw unauthorized();
    if (wabaIds.length === 1 && wabaIds[0] === TEST_ACCOUNT) {
      if (!(await this.fitsAny(body, given))) throw unauthorized();
      return { accountIds: [], delivery, isTest: true };
    }
    const accountIds = await this.verifyAll(wabaIds, body, given);
    if (accountIds.length === 0) {
      if (wabaIds.length > 0) this.unknown.refused(wabaIds);
      throw unauthorized();
    }
    return { accountIds, delivery, isTest: false };
  }

  /** @returns the ids of those that are known @throws ApiError UNAUTHORIZED when the signature is not by one of them */
  private async verifyAll(wabaIds: string[], body: Buffer, given: Buffer): Promise<string[]> {
    const accountIds: string[] = [];
    const candidates = wabaIds.length > FEW ? await this.accounts.knownWabas(wabaIds) : wabaIds;
    for (const wabaId of candidates) {
      const account = await this.accounts.secretsOfWaba(wabaId);
      if (!account) continue;
      if (!fits(body, given, account.appSecret)) throw unauthorized();
      accountIds.push(account.id);
    }
    return accountIds;
  }

  private async fitsAny(body: Buffer, given: Buffer): Promise<boolean> {
    if (body.length > MOST_TEST_BYTES) return false;
    const secrets = await this.accounts.appSecrets();
    return secrets.some((secret) => fits(body, given, secret));
  }
}

function fits(body: Buffer, given: Buffer, appSecret: string): boolean {
  return timingSafeEqual(given, createHmac('sha256', appSecret).update(body).digest());
}

function parsed(body: Buffer): unknown {
  try {
    return parseWireJson(body.toString('utf8'));
  } catch {
    throw new ApiError('INVALID_JSON', 'The body is not JSON.');
  }
}

function unauthorized(): ApiError {
  return new ApiError(
    'UNAUTHORIZED',
    'X-Hub-Signature-256 does not fit the body and the app secret of its account.',
  );
}

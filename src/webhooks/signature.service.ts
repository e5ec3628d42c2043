import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { ApiError } from '../common/errors.js';
import { parseWireJson } from '../provider/wire-json.js';

/** Entries of one delivery at most; the provider sends up to 1,000 updates. */
const MAX_ENTRIES = 1_000;

/** Tells whether a delivery comes from the provider. */
@Injectable()
export class SignatureService {
  constructor(private readonly accounts: AccountsService) {}

  /**
   * Checks the signature over the raw bytes with the app secret of every business account that the delivery names.
   * @returns the ids of these business accounts, and the delivery, parsed
   * @throws ApiError UNAUTHORIZED when one does not fit or is unknown, INVALID_JSON
   */
  async verify(
    body: Buffer,
    signature: string | undefined,
  ): Promise<{ accountIds: string[]; delivery: unknown }> {
    const given = Buffer.from(/^sha256=([0-9a-f]{64})$/i.exec(signature ?? '')?.[1] ?? '', 'hex');
    if (given.length === 0) throw unauthorized();
    const delivery = parsed(body);
    const wabaIds = namedAccounts(delivery);
    if (wabaIds.length === 0) throw unauthorized();
    const accountIds: string[] = [];
    for (const wabaId of wabaIds) {
      const account = await this.accounts.secretsOfWaba(wabaId);
      if (!account) throw unauthorized();
      const expected = createHmac('sha256', account.appSecret).update(body).digest();
      if (!timingSafeEqual(given, expected)) throw unauthorized();
      accountIds.push(account.id);
    }
    return { accountIds, delivery };
  }
}

/** The distinct `entry[].id`; nothing else of a body is looked at before its signature is checked. */
function namedAccounts(delivery: unknown): string[] {
  const entries = (delivery as { entry?: unknown } | null)?.entry;
  if (!Array.isArray(entries) || entries.length > MAX_ENTRIES) return [];
  return [...new Set(entries.map((entry: { id?: unknown } | null) => String(entry?.id ?? '')))];
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

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
   * @returns the ids of these business accounts
   * @throws ApiError UNAUTHORIZED when one does not fit or is unknown, INVALID_JSON
   */
  async verify(body: Buffer, signature: string | undefined): Promise<string[]> {
    const given = Buffer.from(/^sha256=([0-9a-f]{64})$/i.exec(signature ?? '')?.[1] ?? '', 'hex');
    if (given.length === 0) throw unauthorized();
    const wabaIds = namedAccounts(body);
    if (wabaIds.length === 0) throw unauthorized();
    const ids: string[] = [];
    for (const wabaId of wabaIds) {
      const account = await this.accounts.secretsOfWaba(wabaId);
      if (!account) throw unauthorized();
      const expected = createHmac('sha256', account.appSecret).update(body).digest();
      if (!timingSafeEqual(given, expected)) throw unauthorized();
      ids.push(account.id);
    }
    return ids;
  }
}

/** The distinct `entry[].id`; nothing else of a body is looked at before its signature is checked. */
function namedAccounts(body: Buffer): string[] {
  let payload: unknown;
  try {
    payload = parseWireJson(body.toString('utf8'));
  } catch {
    throw new ApiError('INVALID_JSON', 'The body is not JSON.');
  }
  const entries = (payload as { entry?: unknown } | null)?.entry;
  if (!Array.isArray(entries) || entries.length > MAX_ENTRIES) return [];
  return [...new Set(entries.map((entry: { id?: unknown } | null) => String(entry?.id ?? '')))];
}

function unauthorized(): ApiError {
  return new ApiError(
    'UNAUTHORIZED',
    'X-Hub-Signature-256 does not fit the body and the app secret of its account.',
  );
}

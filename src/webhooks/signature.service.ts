import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AccountsService, type BusinessAccountSecrets } from '../accounts/accounts.service.js';
import { ApiError } from '../common/errors.js';
import { Turns } from '../common/turns.js';
import { parseWireJson } from '../provider/wire-json.js';
import { firstAccountOf, outlineOf } from './domain/delivery-outline.js';
import { accountsNamed, TEST_ACCOUNT } from './domain/read-webhook.js';
import { UnknownAccountsService } from './unknown-accounts.service.js';
import { WebhookFailuresService } from './webhook-failures.service.js';

/**
 * Bytes up to which a delivery's first account is tried before all accounts that it names are looked for. That is
 * cheaper, and right for the usual delivery. A small signed one may be nested to any depth: parsing it takes 2 ms.
 */
const SMALL = 64 * 1024;

/** The most bytes of a delivery whose signature is compared with every app secret. */
const MOST_TEST_BYTES = 16 * 1024;

/** How many app secrets are tried before the event loop serves others: about a millisecond's work. */
const AT_ONCE = 100;

/** Milliseconds that such a delivery waits for others of its kind. */
const PATIENCE = 2_000;

/** A delivery whose signature fits. */
export interface GenuineDelivery {
  /** The business accounts that it names and the service knows. */
  accountIds: string[];
  /** The body as it came, and parsed. */
  text: string;
  delivery: unknown;
  /** Whether it is a test from the provider's console: it is answered, and nothing else happens. */
  isTest: boolean;
}

/**
 * Tells whether a delivery comes from the provider: with one HMAC over its raw bytes, two where it is small, and before
 * it is parsed. Anyone can send 3 MB, and parsing them may take seconds.
 *
 * The accounts that a delivery names are read from its bytes (`outlineOf`). The signature has to fit the app secrets of
 * all of them that the service knows. So the first known one decides: if its secret does not fit, no other is tried,
 * however many are named. If it fits, the delivery is parsed, and the other known ones have to have the same secret.
 */
@Injectable()
export class SignatureService {
  private readonly turns = new Turns({
    atOnce: 1,
    late: () => new ApiError('RATE_LIMITED', 'Too many test deliveries at a time. Try again.', [], 1),
  });

  constructor(
    private readonly accounts: AccountsService,
    private readonly unknown: UnknownAccountsService,
    private readonly failures: WebhookFailuresService,
  ) {}

  /**
   * Checks the signature over the raw bytes with the app secret of every business account that the delivery names and
   * the service knows. It may name unknown accounts besides these.
   * @throws ApiError UNAUTHORIZED when one does not fit or none is known, or RATE_LIMITED when this address has failed
   * too often; INVALID_JSON or VALIDATION_FAILED when the signature fits but the body is at fault
   */
  async verify(
    body: Buffer,
    signature: string | undefined,
    request: IncomingMessage,
  ): Promise<GenuineDelivery> {
    const genuine = await this.judge(body, signature, request);
    if (genuine) return genuine;
    await this.failures.note(request, 'signature');
    throw new ApiError(
      'UNAUTHORIZED',
      'X-Hub-Signature-256 does not fit the body and the app secret of its account.',
    );
  }

  /** Whether a copy of a delivery that was kept elsewhere came with a good signature. A test does not count. */
  async fitsCopy(body: Buffer, signature: string | undefined): Promise<boolean> {
    const given = signatureIn(signature);
    const { accounts, isBounded } = outlineOf(body);
    const signer = await this.firstFamiliar(accounts);
    if (!signer || given.length === 0 || !isBounded || !fits(body, given, signer.appSecret)) return false;
    const genuine = await this.read(body, signer);
    return genuine !== null && !genuine.isTest;
  }

  private async judge(
    body: Buffer,
    signature: string | undefined,
    request: IncomingMessage,
  ): Promise<GenuineDelivery | null> {
    const given = signatureIn(signature);
    if (given.length === 0) return null;
    if (body.length <= SMALL) {
      const signer = await this.firstFamiliar([firstAccountOf(body) ?? TEST_ACCOUNT]);
      if (signer && fits(body, given, signer.appSecret)) return this.read(body, signer);
    }
    return this.judgeByOutline(body, given, request);
  }

  private async judgeByOutline(
    body: Buffer,
    given: Buffer,
    request: IncomingMessage,
  ): Promise<GenuineDelivery | null> {
    const { accounts, isBounded } = outlineOf(body);
    const isTest = accounts.length === 1 && accounts[0] === TEST_ACCOUNT;
    const signer = await this.firstFamiliar(accounts);
    if (!signer && accounts.length > 0 && !isTest) {
      this.unknown.refused(accounts);
      return null;
    }
    const isGenuine = signer ? fits(body, given, signer.appSecret) : await this.fitsAny(body, given, request);
    if (!isGenuine) return null;
    if (!isBounded)
      throw new ApiError('VALIDATION_FAILED', 'The delivery is nested too deeply, or too large.');
    return this.read(body, signer);
  }

  /** Parses a delivery with a good signature. @param signer null when it was compared with every app secret */
  private async read(body: Buffer, signer: BusinessAccountSecrets | null): Promise<GenuineDelivery | null> {
    const text = body.toString('utf8');
    const delivery = parsed(text);
    const wabaIds = accountsNamed(delivery);
    const isTest = wabaIds.length === 1 && wabaIds[0] === TEST_ACCOUNT;
    if (isTest) return { accountIds: [], text, delivery, isTest };
    const accountIds = signer && (await this.idsOf(wabaIds, signer));
    return accountIds && { accountIds, text, delivery, isTest };
  }

  /** The first that is known; null when none is. */
  private async firstFamiliar(wabaIds: string[]): Promise<BusinessAccountSecrets | null> {
    const [wabaId] = await this.accounts.familiarWabas(wabaIds);
    return wabaId === undefined ? null : this.accounts.secretsOfWaba(wabaId);
  }

  /** @returns the ids of those that are known; null when none is, or the app secret of one is not the signer's */
  private async idsOf(wabaIds: string[], signer: BusinessAccountSecrets): Promise<string[] | null> {
    if (wabaIds.length === 1 && wabaIds[0] === signer.wabaId) return [signer.id];
    const ids: string[] = [];
    for (const wabaId of await this.accounts.knownWabas(wabaIds)) {
      const account = await this.accounts.secretsOfWaba(wabaId);
      if (!account) continue;
      if (!isSame(account.appSecret, signer.appSecret)) return null;
      ids.push(account.id);
    }
    return ids.length > 0 ? ids : null;
  }

  /**
   * For deliveries that name no account: tests, or a body that is no JSON. One at a time, with pauses. If there are
   * many secrets, an address that has failed too often is refused: nothing depends on these deliveries.
   */
  private async fitsAny(body: Buffer, given: Buffer, request: IncomingMessage): Promise<boolean> {
    if (body.length > MOST_TEST_BYTES) return false;
    return this.turns.run('', PATIENCE, async () => {
      const secrets = await this.accounts.appSecrets();
      if (secrets.length > AT_ONCE) await this.failures.checkRoom(request);
      for (const [index, secret] of secrets.entries()) {
        if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
        if (fits(body, given, secret)) return true;
      }
      return false;
    });
  }
}

/** The bytes of the header's value; none where it is of another form. */
function signatureIn(header: string | undefined): Buffer {
  return Buffer.from(/^sha256=([0-9a-f]{64})$/i.exec(header ?? '')?.[1] ?? '', 'hex');
}

function fits(body: Buffer, given: Buffer, appSecret: string): boolean {
  return timingSafeEqual(given, createHmac('sha256', appSecret).update(body).digest());
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function parsed(text: string): unknown {
  try {
    return parseWireJson(text);
  } catch {
    throw new ApiError('INVALID_JSON', 'The body is not JSON.');
  }
}

import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { AccountsService, type BusinessAccountSecrets } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import { Repeated } from '../common/repeated.js';
import { ProviderClient } from '../provider/provider.client.js';
import { ProviderError } from '../provider/provider-error.js';
import type { WirePhoneNumber } from '../provider/wire.js';
import { ShardLeasesService } from '../shards/shard-leases.service.js';
import { readMessagingLimit } from './domain/messaging-limit.js';
import { type DueRead, type NumberFacts, NumberFactsStore } from './number-facts.store.js';

/** Milliseconds between two looks for numbers that are due. */
const CLOCK = 1_000;

/** Numbers read by one look at most, and calls at the same time: few, as nobody waits for them. */
const BATCH = 20;
const AT_ONCE = 4;

/** Milliseconds. A number is read again after an hour plus or minus a random part, which spreads the reads. */
const HOUR = 3_600_000;
const SPREAD = 0.1;

/** Milliseconds until a failed read is tried again, and after which a worker that has taken a read counts as lost. */
const RETRY = 600_000;
const LEASE = 120_000;

/** Milliseconds until a portfolio is asked for again when the provider has not told it. */
const PORTFOLIO_PAUSE = 24 * HOUR;

/** The provider's code for a field that this version of its API does not have, among other faults. */
const INVALID_PARAMETER = 100;

/**
 * Reads each number's quality, status, throughput and limit from the provider: hourly, spread over the hour, and after
 * an event about it. A lease on the number's row lets one worker at a time read it. It needs no Redis.
 */
@Injectable()
export class NumberReadsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(NumberReadsService.name);
  private readonly stopping = new AbortController();
  private readonly looks = new Repeated(
    CLOCK,
    () => this.look(),
    (error) => this.logger.debug(`Numbers not looked at: ${error.message}`),
  );

  constructor(
    private readonly store: NumberFactsStore,
    private readonly accounts: AccountsService,
    private readonly provider: ProviderClient,
    private readonly leases: ShardLeasesService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.looks.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.looks.stop();
  }

  private async look(): Promise<void> {
    if (!this.leases.isFirst) return;
    const leaseEnd = this.after(LEASE);
    const due = await this.store.takeDue(this.clock.now(), leaseEnd, BATCH);
    const read = async () => {
      for (let number = due.shift(); number; number = due.shift()) await this.read(number, leaseEnd);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, read));
  }

  private async read(number: DueRead, leaseEnd: Date): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const askedAt = this.clock.now();
    try {
      const account = await this.accounts.secretsOf(number.business_account_id);
      if (!account) return; // it was removed meanwhile
      const facts = factsOf(await this.ask(account, number.phone_number_id));
      const next = this.after(HOUR * (1 - SPREAD + 2 * SPREAD * Math.random()));
      await this.store.noteRead(number.id, { facts, askedAt, leaseEnd, next });
      await this.learnPortfolio(account);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (this.stopping.signal.aborted) return; // another worker reads it at the end of the lease
      this.logger.warn(`Number ${number.phone_number_id} not read: ${error.message}`);
      const next = this.after(Math.max(RETRY, error.retryAfter ?? 0));
      await this.store.noteRead(number.id, { facts: null, askedAt, leaseEnd, next });
    }
  }

  /** If the provider no longer has the field for the limit, the other fields are read without it. */
  private async ask(account: BusinessAccountSecrets, phoneNumberId: string): Promise<WirePhoneNumber> {
    const { signal } = this.stopping;
    try {
      return await this.provider.getPhoneNumber(account, phoneNumberId, { withLimit: true, signal });
    } catch (error) {
      if (!(error instanceof ProviderError) || error.code !== INVALID_PARAMETER) throw error;
      return this.provider.getPhoneNumber(account, phoneNumberId, { signal });
    }
  }

  /** Learns the portfolio, whose numbers share one limit. If the token may not see it, it is asked again in a day. */
  private async learnPortfolio(account: BusinessAccountSecrets): Promise<void> {
    const now = this.clock.now();
    if (!(await this.store.takePortfolioTurn(account.id, now, this.after(-PORTFOLIO_PAUSE)))) return;
    try {
      const { signal } = this.stopping;
      const portfolioId = await this.provider.getPortfolioId(account, account.wabaId, { signal });
      if (portfolioId !== null) await this.store.setPortfolio(account.id, portfolioId);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.logger.log(`Portfolio of business account ${account.id} not told: ${error.message}`);
    }
  }

  private after(milliseconds: number): Date {
    return new Date(this.clock.now().getTime() + milliseconds);
  }
}

function factsOf(number: WirePhoneNumber): NumberFacts {
  return {
    quality: text(number.quality_rating),
    status: text(number.status),
    throughput: text(number.throughput?.level),
    messagingLimit: readMessagingLimit(
      number.whatsapp_business_manager_messaging_limit ?? number.messaging_limit_tier,
    ),
  };
}

/** The provider's words, as text that PostgreSQL can store. */
function text(value: unknown): string | null {
  return typeof value === 'string' && /^\w{1,40}$/.test(value) ? value : null;
}

import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import type { SendingAccount } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import { SharedCaches } from '../database/shared-cache.js';
import type { TemplateCategory } from '../provider/wire.js';
import { marketOf } from './domain/calling-codes.js';
import { computeCost, type Cost } from './domain/cost.js';
import { isInternational } from './domain/international.js';
import { parseRateCard, type RateCardRow } from './domain/rate-card.js';
import { RateCard } from './rate-card.entity.js';

const CACHE = 'rate_card';
const UPCOMING_CACHE = 'rate_cards_upcoming';
const NO_PRICE = { cost: '0.000000', currency: 'USD' };

/** What a price depends on beside the recipient and the category. */
type PricedAccount = Pick<SendingAccount, 'phone' | 'markupPercent' | 'authInternational'>;

/** The rate card in force; newer ones give some countries a row of their own. */
interface CurrentCard {
  rates: RateCardRow[];
  markets: ReadonlySet<string>;
}

/** Prices messages by the rate card in force. */
@Injectable()
export class PricingService {
  private readonly logger = new Logger(PricingService.name);
  private readonly current;
  private readonly next;
  private warned = false;

  constructor(
    @InjectRepository(RateCard) private readonly cards: Repository<RateCard>,
    private readonly clock: Clock,
    private readonly caches: SharedCaches,
  ) {
    this.current = caches.create(CACHE, () => this.findCurrent());
    this.next = caches.create(UPCOMING_CACHE, () => this.findNext());
  }

  /** What a message costs now. Without a rate card it is zero, and that is logged. */
  async price(account: PricedAccount, phoneDigits: string, category: TemplateCategory): Promise<Cost> {
    return priceBy(await this.current.get(''), account, phoneDigits, category, this.clock.now());
  }

  /** What a message would cost that is accepted then, by all that is known now. */
  async priceAt(
    account: PricedAccount,
    phoneDigits: string,
    category: TemplateCategory,
    at: Date,
  ): Promise<Cost> {
    const upcoming = (await this.next.get('')) ?? [];
    const card = upcoming.findLast(({ effectiveFrom }) => effectiveFrom <= at);
    return priceBy(card ?? (await this.current.get('')), account, phoneDigits, category, at);
  }

  /**
   * Loads a rate card in the provider's published form.
   * @returns the number of rates in it
   * @throws RateCardError that lists every faulty line
   */
  async load(csv: string, effectiveFrom: Date): Promise<number> {
    const rates = parseRateCard(csv);
    await this.cards.save(this.cards.create({ effectiveFrom, rates }));
    await this.caches.changed(CACHE);
    await this.caches.changed(UPCOMING_CACHE);
    return rates.length;
  }

  /** The card in force; null while there is none. */
  async inForce(): Promise<RateCard | null> {
    return this.cards.findOne({
      where: { effectiveFrom: LessThanOrEqual(this.clock.now()) },
      order: { effectiveFrom: 'DESC', id: 'DESC' },
    });
  }

  /** The currencies that messages are charged in by the card in force, in order. */
  async currencies(): Promise<string[]> {
    const { rates = [] } = (await this.inForce()) ?? {};
    return [...new Set(rates.map(({ currency }) => currency))].toSorted();
  }

  /** The cards whose time is to come, soonest first; of two for the same time, the one that was loaded last. */
  async upcoming(): Promise<RateCard[]> {
    const cards = await this.cards.find({
      where: { effectiveFrom: MoreThan(this.clock.now()) },
      order: { effectiveFrom: 'ASC', id: 'DESC' },
    });
    const starts = cards.map(({ effectiveFrom }) => effectiveFrom.getTime());
    return cards.filter((_card, i) => starts.indexOf(starts[i] as number) === i);
  }

  private async findCurrent(): Promise<CurrentCard> {
    const card = await this.inForce();
    if (!card && !this.warned) {
      this.warned = true;
      this.logger.warn(
        'No rate card is in force, messages cost 0: load one with "npm run admin -- rates:load"',
      );
    }
    return cardOf(card?.rates ?? []);
  }

  private async findNext(): Promise<(CurrentCard & { effectiveFrom: Date })[]> {
    const cards = await this.upcoming();
    return cards.map(({ rates, effectiveFrom }) => ({ ...cardOf(rates), effectiveFrom }));
  }
}

function cardOf(rates: RateCardRow[]): CurrentCard {
  return { rates, markets: new Set(rates.map((rate) => rate.market)) };
}

function priceBy(
  card: CurrentCard | null,
  { phone: from, authInternational: starts, markupPercent }: PricedAccount,
  to: string,
  category: TemplateCategory,
  at: Date,
): Cost {
  const market = marketOf(to, card?.markets);
  const price = computeCost({
    rates: card?.rates ?? [],
    category,
    market,
    isInternational: category === 'AUTHENTICATION' && isInternational({ starts, from, to, at }),
    markupPercent,
  });
  return price ?? { ...NO_PRICE, market, category };
}

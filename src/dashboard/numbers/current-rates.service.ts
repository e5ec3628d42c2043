import { Injectable } from '@nestjs/common';
import { RedisConnection } from '../../database/redis.js';
import { NumberRateLimiter } from '../../delivery/rates/number-rate-limiter.js';

/** Milliseconds for which the page waits for Redis, which it can do without. */
const PATIENCE = 200;

/** Tells the rate at which numbers may send now, if Redis knows it. */
@Injectable()
export class CurrentRatesService {
  /** Requests without an answer yet. While Redis hangs, there is at most one for each number. */
  private readonly asked = new Map<number, Promise<number | null>>();

  constructor(
    private readonly redis: RedisConnection,
    private readonly rates: NumberRateLimiter,
  ) {}

  /** Messages per second, or null when it is not known. Never throws and never takes long. */
  async of({ id, messages_per_second: full }: { id: number; messages_per_second: number }) {
    if (!this.redis.isUp) return null;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), PATIENCE)));
    try {
      return await Promise.race([this.ask(id, full), tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  private ask(id: number, full: number): Promise<number | null> {
    const asked =
      this.asked.get(id) ??
      this.rates
        .currentRate(id, full)
        .then(
          (rate) => Math.round(rate * 10) / 10,
          () => null, // Redis went down meanwhile: not known either
        )
        .finally(() => this.asked.delete(id));
    this.asked.set(id, asked);
    return asked;
  }
}

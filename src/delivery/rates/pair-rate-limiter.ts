import { Injectable } from '@nestjs/common';
import type { RedisClient } from '../../database/redis-client.js';
import { RedisConnection } from '../../database/redis.js';
import { numberKey, pairKey, pairRefusalsKey } from './number-keys.js';
import { BUCKET, GIVE_TURNS } from './number-rate-limiter.js';

/** Messages that one recipient may get from one number at once. */
const BURST = 45;

/**
 * Milliseconds until one more may follow. The provider allows one in 6 s by when they arrive: a little more, so that
 * a fast answer after a slow one is not too early.
 */
const INTERVAL = 6_100;

/**
 * Milliseconds after its turn at which a message comes back: clocks of workers differ a little, and one that comes
 * early has to go to the end.
 */
const MARGIN = 100;

/**
 * For each pair (KEYS[2] on) and its count of messages (ARGV[2] on), tells how many may go now and in how many
 * milliseconds the first of the others has its turn. A pair is kept as `full_at last_turn`: when its bucket is full
 * again, and the last turn that was given away, so that those who wait do not all come back at once. It lives until
 * both are past.
 *
 * Those who may go by their pairs then get turns of the number; one that gets none has used up its pair's for nothing,
 * which happens after stalls and refusals only. Last, the tokens go back of those that may not go, and of permits for which there was
 * no message (ARGV[1]: all permits).
 */
const ADMIT = `${BUCKET}
  local now_ms = math.floor(now)
  local leaving = 0
  local answer = {}
  for i = 2, #KEYS do
    local full_at, last_turn = string.match(redis.call('GET', KEYS[i]) or '', '(%d+) (%d+)')
    full_at, last_turn = math.max(now_ms, tonumber(full_at) or 0), tonumber(last_turn) or 0
    local count = tonumber(ARGV[i])
    local admitted = math.max(0, math.min(count, ${BURST} - math.ceil((full_at - now_ms) / ${INTERVAL})))
    full_at = full_at + admitted * ${INTERVAL}
    local first_turn = 0
    if admitted < count then
      first_turn = math.max(last_turn + ${INTERVAL}, full_at - ${(BURST - 1) * INTERVAL})
      last_turn = first_turn + (count - admitted - 1) * ${INTERVAL}
    end
    if count > 0 then
      redis.call('SET', KEYS[i], string.format('%.0f %.0f', full_at, last_turn), 'PX', math.max(full_at, last_turn) - now_ms)
    end
    leaving = leaving + admitted
    table.insert(answer, admitted)
    table.insert(answer, math.max(0, first_turn - now_ms))
  end
  ${GIVE_TURNS}
  local unused = tonumber(ARGV[1]) - turns
  if unused > 0 and redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HINCRBYFLOAT', KEYS[1], 'tokens', unused) end
  return { turns, wait, answer }`;

/** Milliseconds after a pair's wait in which another refusal is one more in a row. */
const IN_A_ROW = 60_000;

/** Refusals in a row after which the wait grows no more: no message is tried for that long. */
const MOST_REFUSALS = 8;

/**
 * Takes a pair (KEYS[1]) for used up for 4^X seconds, X = 0, 1, 2 … for refusals in a row, or for as long as the provider
 * says (ARGV[1]). After that its messages have their turns, one by one. KEYS[2] has how many refusals there were, and until
 * when the last one counts: others that come until then are of calls that were under way with it.
 */
const SLOW_PAIR = `
  local time = redis.call('TIME')
  local now_ms = math.floor(time[1] * 1000 + time[2] / 1000)
  local refusals, slow_until = string.match(redis.call('GET', KEYS[2]) or '', '(%d+) (%d+)')
  refusals, slow_until = tonumber(refusals) or 0, tonumber(slow_until) or 0
  if slow_until <= now_ms then
    slow_until = now_ms + 1000 * 4 ^ math.min(refusals, ${MOST_REFUSALS})
    refusals = refusals + 1
  end
  slow_until = math.max(slow_until, now_ms + tonumber(ARGV[1]))
  redis.call('SET', KEYS[2], string.format('%.0f %.0f', refusals, slow_until), 'PX',
    string.format('%.0f', slow_until - now_ms + ${IN_A_ROW}))
  local full_at, last_turn = string.match(redis.call('GET', KEYS[1]) or '', '(%d+) (%d+)')
  full_at = math.max(tonumber(full_at) or 0, slow_until + ${(BURST - 1) * INTERVAL})
  last_turn = tonumber(last_turn) or 0
  redis.call('SET', KEYS[1], string.format('%.0f %.0f', full_at, last_turn), 'PX',
    string.format('%.0f', math.max(full_at, last_turn) - now_ms))
  return slow_until - now_ms`;

interface PairCommands {
  slowPair(keys: 2, ...keysAndWait: (string | number)[]): Promise<number>;
  admitMessages(
    keys: number,
    ...keysAndCounts: (string | number)[]
  ): Promise<[turns: number, wait: number, pairs: number[]]>;
}

/**
 * Keeps each pair of a number and a recipient within the provider's limit, so that a flood delays only itself, and lets
 * messages leave in their number's turns.
 */
@Injectable()
export class PairRateLimiter {
  private readonly redis: RedisClient & PairCommands;

  constructor(connection: RedisConnection) {
    connection.client.defineCommand('admitMessages', { lua: ADMIT });
    connection.client.defineCommand('slowPair', { lua: SLOW_PAIR });
    this.redis = connection.client as RedisClient & PairCommands;
  }

  /**
   * Admits the messages that were claimed with a permit, in one round trip whatever their number, and gives back the
   * tokens that are not used.
   * @param tokens those that the permit came with
   * @returns for each message the milliseconds until its turn comes, 0 for one that may go now
   */
  async admit(messagingAccountId: number, tokens: number, phones: string[]): Promise<number[]> {
    const counts = new Map<string, number>();
    for (const phone of phones) counts.set(phone, (counts.get(phone) ?? 0) + 1);
    const keys = [...counts.keys()].map((phone) => pairKey(this.redis, messagingAccountId, phone));
    const [turns, wait, pairs] = await this.redis.admitMessages(
      keys.length + 1,
      numberKey(this.redis, messagingAccountId),
      ...keys,
      tokens,
      ...counts.values(),
    );
    const turnsOfPhones = new Map([...counts.keys()].map((phone, i) => [phone, turnsOf(pairs, i)]));
    let left = turns;
    return phones.map((phone) => {
      const pairWait = turnsOfPhones.get(phone)?.next().value ?? 0;
      if (pairWait > 0) return pairWait;
      left -= 1;
      return left >= 0 ? 0 : wait;
    });
  }

  /**
   * Holds back all messages of a number to a recipient, after the provider has refused one (131056).
   * @param least milliseconds to wait at least, as the provider may say
   * @returns milliseconds until the next one may go
   */
  slow(messagingAccountId: number, phone: string, least = 0): Promise<number> {
    const pair = pairKey(this.redis, messagingAccountId, phone);
    return this.redis.slowPair(2, pair, pairRefusalsKey(this.redis, messagingAccountId, phone), least);
  }
}

/** Milliseconds until the turn of each message of the pair at `index` of the script's answer, in order. */
function* turnsOf(answer: number[], index: number): Generator<number, undefined> {
  const [admitted = 0, firstTurn = 0] = answer.slice(2 * index);
  for (let i = 0; i < admitted; i += 1) yield 0;
  for (let turn = firstTurn + MARGIN; ; turn += INTERVAL) yield turn;
}

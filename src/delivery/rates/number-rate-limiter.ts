import { Injectable } from '@nestjs/common';
import type { RedisClient } from '../../database/redis-client.js';
import { RedisConnection } from '../../database/redis.js';
import { numberKey } from './number-keys.js';

/**
 * The part of a second's worth that may go at once: enough to make up for a late look, too little to trip the
 * provider, which allows a whole second's worth. A tenth was smoother, but lost 12 % of 400 messages a second on a busy
 * machine, where looks come late.
 */
const BURST_PART = 0.2;

/** Milliseconds until a number's rate is lowered again: one moment of too much gives many refusals. */
const SLOWING_PAUSE = 1_000;

/** A lowered rate gets this part of the full one back, each time so many milliseconds have passed. */
const STEP_PART = 0.1;
const STEP = 5_000;

/** The part of its full rate that a number keeps however often it is refused; never below one message a second. */
const LEAST_PART = 0.001;

/** Milliseconds for which a number may be stopped at most, whatever the provider says; then it tries again. */
const LONGEST_STOP = 86_400_000;

/** Milliseconds for which an idle bucket is kept: by then it is full, and the rate has come back from the lowest. */
const IDLE = 60_000;

/**
 * Milliseconds by which messages may leave before their turns, where late permits let them crowd. With what a call may
 * lose after its turn (TURN_LASTS), well below the second's worth that the provider takes at once: the rest is for the
 * network.
 */
const LEEWAY = 300;

/**
 * Reads a number's bucket, by Redis' own clock, as the workers' may differ. `at` is when `tokens` were counted; a
 * time to come means that none are added until then. `part` is what was left of the full rate at `lowered_at`: a
 * part, so that a number can be slowed down before it sends anything. `rate` is the full one as it was when tokens were
 * taken last, `next_turn` the time of the turn that is given next.
 */
export const BUCKET = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  local state = redis.call('HMGET', KEYS[1], 'tokens', 'at', 'part', 'lowered_at', 'rate', 'next_turn')
  local tokens, at = tonumber(state[1]), tonumber(state[2]) or now
  local part, lowered_at = tonumber(state[3]), tonumber(state[4]) or now
  local rate, next_turn = tonumber(state[5]), tonumber(state[6]) or now
  if part then part = math.min(1, part + math.floor((now - lowered_at) / ${STEP}) * ${STEP_PART}) end`;

/** A token bucket, filled at the number's rate of now. At least two tokens fit in, or a late look would lose them. */
const TAKE = `${BUCKET}
  local current = math.max(1, tonumber(ARGV[1]) * (part or 1))
  local burst = math.max(1, math.min(current, math.max(2, math.ceil(current * ${BURST_PART}))))
  tokens = math.min(burst, (tokens or burst) + math.max(0, now - at) * current / 1000)
  local taken = 0
  if at <= now then taken = math.max(0, math.min(tonumber(ARGV[2]), math.floor(tokens))) end
  redis.call('HSET', KEYS[1], 'tokens', tostring(tokens - taken), 'at', string.format('%.3f', math.max(at, now)),
    'rate', ARGV[1])
  redis.call('PEXPIRE', KEYS[1], math.ceil(${IDLE} + math.max(0, at - now)))
  return { taken, tostring(current) }`;

/**
 * Gives turns to `leaving` messages: `turns` of them may leave now, the others may ask again after `wait`
 * milliseconds. Tokens say how many messages go in the long run, but not when: permits that were given one after another
 * come together after a stall. Turns are as far apart as the rate says, whichever workers they are given to, but for the
 * leeway. A number of which no tokens were taken for long sends nothing that could crowd.
 */
export const GIVE_TURNS = `
  local turns, wait = leaving, 0
  if at > now then
    turns, wait = 0, math.ceil(at - now)
  elseif rate then
    local interval = 1000 / math.max(1, rate * (part or 1))
    local leeway = math.max(0, math.min(1000 - interval, math.max(interval, ${LEEWAY})))
    next_turn = math.max(now, next_turn)
    turns = math.max(0, math.min(leaving, math.floor((now + leeway - next_turn) / interval) + 1))
    next_turn = next_turn + turns * interval
    if turns > 0 then redis.call('HSET', KEYS[1], 'next_turn', string.format('%.3f', next_turn)) end
    if turns < leaving then wait = math.max(1, math.ceil(next_turn - leeway - now)) end
  end`;

const ASK_TURN = `${BUCKET}
  local leaving = 1
  ${GIVE_TURNS}
  return wait`;

/** Halves the rate and stops the number for the milliseconds in ARGV[1]. */
const SLOW = `${BUCKET}
  if not part or now - lowered_at >= ${SLOWING_PAUSE} then
    local half = math.max(${LEAST_PART}, (part or 1) / 2)
    redis.call('HSET', KEYS[1], 'part', tostring(half), 'lowered_at', string.format('%.3f', now))
  end
  local stop = math.min(tonumber(ARGV[1]), ${LONGEST_STOP})
  if stop > 0 then redis.call('HSET', KEYS[1], 'tokens', 0, 'at', string.format('%.3f', math.max(at, now + stop))) end
  redis.call('PEXPIRE', KEYS[1], math.ceil(${IDLE} + stop))
  return 1`;

const GIVE_BACK = `
  if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HINCRBYFLOAT', KEYS[1], 'tokens', ARGV[1]) end
  return 0`;

interface RateCommands {
  takeTokens(key: string, rate: number, wanted: number): Promise<[taken: number, rate: string]>;
  slowNumber(key: string, stop: number): Promise<number>;
  giveBackTokens(key: string, count: number): Promise<number>;
  askTurn(key: string): Promise<number>;
}

/**
 * Keeps each number within its messages per second, which all workers share: a token bucket in Redis, smooth because
 * it holds little, and a turn for each message that leaves. When the provider says that it is too much, the rate is
 * halved at once and comes back in steps.
 */
@Injectable()
export class NumberRateLimiter {
  private readonly redis: RedisClient & RateCommands;

  constructor(connection: RedisConnection) {
    connection.client.defineCommand('takeTokens', { numberOfKeys: 1, lua: TAKE });
    connection.client.defineCommand('slowNumber', { numberOfKeys: 1, lua: SLOW });
    connection.client.defineCommand('giveBackTokens', { numberOfKeys: 1, lua: GIVE_BACK });
    connection.client.defineCommand('askTurn', { numberOfKeys: 1, lua: ASK_TURN });
    this.redis = connection.client as RedisClient & RateCommands;
  }

  /** Takes up to `wanted` tokens for messages of a number. @returns how many it got */
  async take(messagingAccountId: number, messagesPerSecond: number, wanted: number): Promise<number> {
    const [taken] = await this.redis.takeTokens(
      numberKey(this.redis, messagingAccountId),
      messagesPerSecond,
      wanted,
    );
    return taken;
  }

  /** Returns tokens that were not used. */
  async giveBack(messagingAccountId: number, count: number): Promise<void> {
    if (count > 0) await this.redis.giveBackTokens(numberKey(this.redis, messagingAccountId), count);
  }

  /**
   * Asks for another turn for a message that has lost its own.
   * @returns milliseconds until it may ask again, 0 when it may leave now
   */
  async askTurn(messagingAccountId: number): Promise<number> {
    return this.redis.askTurn(numberKey(this.redis, messagingAccountId));
  }

  /**
   * Lowers the rate of a number that the provider has refused for it; with `retryAfter` (milliseconds) the number
   * stands still for so long first.
   */
  async slow(messagingAccountId: number, retryAfter = 0): Promise<void> {
    await this.redis.slowNumber(numberKey(this.redis, messagingAccountId), retryAfter);
  }

  /** The messages per second that a number may send now, between 1 and its full rate. */
  async currentRate(messagingAccountId: number, messagesPerSecond: number): Promise<number> {
    const [, rate] = await this.redis.takeTokens(
      numberKey(this.redis, messagingAccountId),
      messagesPerSecond,
      0,
    );
    return Number(rate);
  }
}

import { Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { RedisConnection } from '../database/redis.js';

/** The part of a second's worth that may go at once: enough for full batches, too little to trip the provider. */
const BURST_PART = 0.1;

/**
 * A token bucket for each number, shared by all workers. It holds at most a tenth of a second's worth, so that the
 * flow is smooth; Redis' own clock fills it, as the workers' may differ.
 */
const TAKE = `
  local rate, burst, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  local state = redis.call('HMGET', KEYS[1], 'tokens', 'at')
  local tokens = math.min(burst, (tonumber(state[1]) or burst) + math.max(0, now - (tonumber(state[2]) or now)) * rate / 1000)
  local taken = math.max(0, math.min(wanted, math.floor(tokens)))
  redis.call('HSET', KEYS[1], 'tokens', tostring(tokens - taken), 'at', tostring(now))
  redis.call('PEXPIRE', KEYS[1], 60000)
  return taken`;

const GIVE_BACK = `
  if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HINCRBYFLOAT', KEYS[1], 'tokens', ARGV[1]) end
  return 0`;

interface RateCommands {
  takeTokens(key: string, rate: number, burst: number, wanted: number): Promise<number>;
  giveBackTokens(key: string, count: number): Promise<number>;
}

/** Keeps each number within its messages per second. */
@Injectable()
export class NumberRate {
  private readonly redis: Redis & RateCommands;

  constructor(connection: RedisConnection) {
    connection.client.defineCommand('takeTokens', { numberOfKeys: 1, lua: TAKE });
    connection.client.defineCommand('giveBackTokens', { numberOfKeys: 1, lua: GIVE_BACK });
    this.redis = connection.client as Redis & RateCommands;
  }

  /** Takes up to `wanted` tokens for messages of a number. @returns how many it got */
  take(messagingAccountId: number, messagesPerSecond: number, wanted: number): Promise<number> {
    const burst = Math.max(1, Math.ceil(messagesPerSecond * BURST_PART));
    return this.redis.takeTokens(key(messagingAccountId), messagesPerSecond, burst, wanted);
  }

  /** Returns tokens for which no message was found. */
  async giveBack(messagingAccountId: number, count: number): Promise<void> {
    if (count > 0) await this.redis.giveBackTokens(key(messagingAccountId), count);
  }
}

function key(messagingAccountId: number): string {
  return `{tms}:rate:${messagingAccountId}`;
}

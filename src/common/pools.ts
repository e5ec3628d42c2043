import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { MetricsRegistry } from './metrics-registry.js';

/** How much of a pool is in use. */
export interface PoolUse {
  used: number;
  size: number;
  /** Those who wait for a place; left out where nobody waits. */
  waiting?: number;
}

/** What this process has a limited number of, for `/metrics`: connections, and messages that may be under way. */
@Injectable()
export class Pools {
  private readonly pools = new Map<string, () => PoolUse>();

  constructor(registry: MetricsRegistry) {
    const gauge = (name: string, help: string, field: keyof PoolUse) => {
      const metric: Gauge<'pool'> = new Gauge({
        name,
        help,
        labelNames: ['pool'],
        registers: [registry],
        collect: () => {
          for (const [pool, use] of this.pools) {
            const value = use()[field];
            if (value !== undefined) metric.set({ pool }, value);
          }
        },
      });
    };
    gauge('tms_pool_used', 'Places of a pool that are in use', 'used');
    gauge('tms_pool_size', 'Places that a pool has at most', 'size');
    gauge('tms_pool_waiting', 'Those who wait for a connection of a pool', 'waiting');
  }

  /** @param name a label of the metrics */
  add(name: string, use: () => PoolUse): void {
    this.pools.set(name, use);
  }
}

/** The use of a pool of `pg`. */
export function useOfConnections(
  { totalCount, idleCount, waitingCount }: { totalCount: number; idleCount: number; waitingCount: number },
  size: number,
): PoolUse {
  return { used: totalCount - idleCount, size, waiting: waitingCount };
}

import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { AbstractConnector, type Cluster, type RedisOptions } from 'ioredis';
import { slotOf } from './cluster-slots.js';

/** Milliseconds from one look for the node to the next: longer each time, up to a second. */
const PAUSE = 100;
const LONGEST_PAUSE = 1_000;

/**
 * The way of a single connection into a cluster, as ioredis' `Connector` option: each time that it connects, it asks
 * the cluster which node has the key by now. ioredis' own client of a cluster would have several connections for each
 * queue that waits, and none of its time limits for the one that listens.
 * @param key without one, to any node: what is published on one is heard on all
 */
export function nodeConnector(cluster: Cluster, key?: string): NonNullable<RedisOptions['Connector']> {
  return class extends AbstractConnector {
    private readonly tls: ConnectionOptions | undefined;

    constructor(options: unknown) {
      const { disconnectTimeout, tls } = options as RedisOptions;
      super(disconnectTimeout!);
      this.tls = tls;
    }

    override async connect(): Promise<Socket> {
      this.connecting = true;
      const address = await this.find();
      this.stream = this.tls ? connectTls({ ...address, ...this.tls }) : connect(address);
      this.stream.once('error', (error) => (this.firstError = error));
      return this.stream;
    }

    /** Asks until the cluster tells, or nobody wants to connect any more. */
    private async find(): Promise<{ host: string; port: number }> {
      for (let tries = 1; this.connecting; tries += 1) {
        await refresh(cluster);
        const node = key === undefined ? anyNode(cluster) : cluster.slots[slotOf(key)]?.[0];
        if (node && this.connecting) return addressOf(node);
        await delay(Math.min(tries * PAUSE, LONGEST_PAUSE), undefined, { ref: false });
      }
      throw new Error('Connection is closed.'); // as ioredis says it, who then keeps silent about it
    }
  };
}

/** Brings the cluster's slots up to date. If no node tells, they stay as they were. */
function refresh(cluster: Cluster): Promise<void> {
  return new Promise((resolve) => cluster.refreshSlotsCache(() => resolve()));
}

function anyNode(cluster: Cluster): string | undefined {
  const nodes = [...new Set(cluster.slots.flat())];
  return nodes[Math.floor(Math.random() * nodes.length)];
}

function addressOf(node: string): { host: string; port: number } {
  const colon = node.lastIndexOf(':');
  return { host: node.slice(0, colon), port: Number(node.slice(colon + 1)) };
}

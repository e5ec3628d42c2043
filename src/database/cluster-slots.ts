import { type Cluster, Command } from 'ioredis';

const SLOTS = 16_384;

/** Ranges of slots that are named in one line; the others are only hinted at. */
const NAMED = 3;

/** The slots that one node of a cluster serves, or that no node serves. */
export interface SlotsOfNode {
  /** host:port; null where no node serves them. */
  node: string | null;
  /** Such as `0-5460,10000`. */
  slots: string;
}

/** The slot of a key: that of its hash tag, if it has one. */
export function slotOf(key: string): number {
  return new Command('exists', [key]).getSlot()!;
}

/** Who serves which slots, as the client has last heard. */
export function slotsByNode(cluster: Cluster): SlotsOfNode[] {
  const ranges = new Map<string | null, [first: number, last: number][]>();
  let former: string | null | undefined;
  for (let slot = 0; slot < SLOTS; slot += 1) {
    const node = cluster.slots[slot]?.[0] ?? null;
    const known = ranges.get(node) ?? [];
    if (node === former) known.at(-1)![1] = slot;
    else ranges.set(node, [...known, [slot, slot]]);
    former = node;
  }
  return [...ranges].map(([node, ofNode]) => ({ node, slots: textOf(ofNode) }));
}

/** For each node with slots a key that it has: the prefix and the first number for which it is so. */
export function keysByNode(cluster: Cluster, prefix: string): Map<string, string> {
  const nodes = new Set(cluster.slots.flatMap(([node]) => node ?? []));
  const keys = new Map<string, string>();
  for (let i = 0; keys.size < nodes.size && i < SLOTS; i += 1) {
    const key = `${prefix}:${i}`;
    const node = cluster.slots[slotOf(key)]?.[0];
    if (node && !keys.has(node)) keys.set(node, key);
  }
  return keys;
}

/** The slots whose nodes the others take for dead, for each such node. @throws when no node answers */
export async function lostSlots(cluster: Cluster): Promise<string[]> {
  const lines = String(await cluster.cluster('NODES'))
    .trimEnd()
    .split('\n');
  const nodes = lines.map((line) => {
    const [, , flags = '', , , , , , ...slots] = line.split(' ');
    return { flags: flags.split(','), slots: slots.filter((range) => !range.startsWith('[')) };
  });
  const dead = nodes.filter(({ flags, slots }) => flags.includes('fail') && slots.length > 0);
  return dead.map(({ slots }) => slots.join(','));
}

function textOf(ranges: [number, number][]): string {
  const named = ranges
    .slice(0, NAMED)
    .map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  return named.join(',') + (ranges.length > NAMED ? ',…' : '');
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that `--cpu-prof` writes; times in microseconds. */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[];
  samples: number[];
  timeDeltas: number[];
}

/** Seconds of each profile that are left out: the start, and the compiling of hot code. */
const WARM_UP = 8;

const ROWS = 10;

/** Lines about the busy time of each profiled process, with the ten parts that took most. */
export async function topTens(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'));
  const tables = files.toSorted().map(async (name) => {
    const shares = sharesOf(JSON.parse(await readFile(join(folder, name), 'utf8')) as CpuProfile);
    const rows = shares
      .slice(0, ROWS)
      .map(([part, share]) => `${(100 * share).toFixed(1).padStart(6)} %  ${part}`);
    return [name, ...rows];
  });
  return (await Promise.all(tables)).flat();
}

/** Parts with their shares of the busy time, the largest first. */
function sharesOf({ nodes, samples, timeDeltas }: CpuProfile): [part: string, share: number][] {
  const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]));
  const times = new Map<string, number>();
  let [elapsed, busy] = [0, 0];
  for (const [i, id] of samples.entries()) {
    const delta = timeDeltas[i] ?? 0;
    const part = parts.get(id) ?? '';
    elapsed += delta;
    if (elapsed < WARM_UP * 1e6 || part === '(idle)') continue;
    busy += delta;
    times.set(part, (times.get(part) ?? 0) + delta);
  }
  const shares = [...times].map(([part, time]): [string, number] => [part, time / busy]);
  return shares.toSorted(([, one], [, other]) => other - one);
}

/** A package, a file of ours, a module of Node, or something within V8. */
function partOf({ url, functionName }: { url: string; functionName: string }): string {
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  const own = /\/dist\/(.*)/.exec(url)?.[1];
  return library ?? own ?? (url || functionName);
}

/** An item for which the work fails, with why. */
export interface Fault<Item> {
  item: Item;
  error: unknown;
}

/**
 * Does the work for all items except those for which it fails: first for all at once; if that fails, for each half, and
 * so on. One bad item among a thousand costs twenty attempts.
 * @param options `isFault`: whether the items are to blame for an error; any other error ends everything. `most`: once
 * so many bad items are found, a part that fails is no longer halved: all of its items count as failed
 */
export async function isolate<Item>(
  items: Item[],
  work: (part: Item[]) => Promise<void>,
  { isFault, most }: { isFault: (error: unknown) => boolean; most: number },
): Promise<Fault<Item>[]> {
  const faults: Fault<Item>[] = [];
  const attempt = async (part: Item[]): Promise<void> => {
    try {
      await work(part);
    } catch (error) {
      if (!isFault(error)) throw error;
      if (part.length === 1 || faults.length >= most) {
        faults.push(...part.map((item) => ({ item, error })));
        return;
      }
      const middle = part.length >> 1;
      await attempt(part.slice(0, middle));
      await attempt(part.slice(middle));
    }
  };
  if (items.length > 0) await attempt(items);
  return faults;
}

/** An item for which the work fails, with why. */
export interface Fault<Item> {
  item: Item;
  error: unknown;
}

/**
 * Does the work for all items but those for which it fails: for all at once, where that fails for each half, and so on.
 * One among a thousand costs twenty attempts.
 * @param options `isFault`: whether an error is the items'; any other ends all. `most`: when so many items were found,
 * the work is not tried any more for parts of what it fails for, and all of that counts as failed
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

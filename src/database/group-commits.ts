import { QueueFullError } from './database-errors.js';
import { GroupCommit, type GroupCommitOptions } from './group-commit.js';

/** Group commits of each key's own: what the commit of one key has to wait for holds up no other key. */
export class GroupCommits<Item, Result> {
  private readonly groups = new Map<string, { commits: GroupCommit<Item, Result>; open: number }>();
  private open = 0;

  /** @param options of each key's commits; `mostWaiting` is for the items of all keys together */
  constructor(private readonly options: GroupCommitOptions<Item, Result> & { mostWaiting: number }) {}

  /**
   * Resolves when the item is committed; rejects when its own commit failed.
   * @throws QueueFullError when too much is waiting
   */
  async submit(key: string, item: Item): Promise<Result> {
    if (this.open >= this.options.mostWaiting) throw new QueueFullError();
    const group = this.groups.get(key) ?? { commits: new GroupCommit(this.options), open: 0 };
    this.groups.set(key, group);
    this.open += 1;
    group.open += 1;
    try {
      return await group.commits.submit(item);
    } finally {
      this.open -= 1;
      group.open -= 1;
      if (group.open === 0) this.groups.delete(key);
    }
  }
}

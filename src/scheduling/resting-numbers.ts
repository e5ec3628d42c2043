/** Numbers that have had their turn and get the next one after a pause, however often they are woken meanwhile. */
export class RestingNumbers {
  /** By the length of the pause in milliseconds: numbers of one moment end theirs together. */
  private readonly groups = new Map<number, { ids: Set<number>; timer: NodeJS.Timeout }>();

  /** @param onEnd is told of the numbers whose pause has ended */
  constructor(private readonly onEnd: (ids: number[]) => void) {}

  has(id: number): boolean {
    for (const { ids } of this.groups.values()) if (ids.has(id)) return true;
    return false;
  }

  /** Lets numbers rest, together with others whose pause of as many milliseconds is under way. */
  add(ids: number[], pause: number): void {
    if (ids.length === 0) return;
    let group = this.groups.get(pause);
    if (!group) {
      group = { ids: new Set(), timer: setTimeout(() => this.end(pause), pause) };
      this.groups.set(pause, group);
    }
    for (const id of ids) group.ids.add(id);
  }

  stop(): void {
    for (const { timer } of this.groups.values()) clearTimeout(timer);
  }

  private end(pause: number): void {
    const ids = [...(this.groups.get(pause)?.ids ?? [])];
    this.groups.delete(pause);
    this.onEnd(ids);
  }
}

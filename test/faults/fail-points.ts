import type { FailPoint } from '../../src/common/fail-point.js';
import type { Death, Role } from './processes.js';
import type { SeededRandom } from './seeded-random.js';

/** How often each is come to, compared with the most frequent: where a process dies should not decide how soon. */
const PLACES: Record<FailPoint, { role: Role; frequency: number }> = {
  'after-accept': { role: 'api', frequency: 1 },
  'after-inbox-put': { role: 'api', frequency: 0.25 },
  'after-tokens': { role: 'worker', frequency: 0.25 },
  'after-claim': { role: 'worker', frequency: 0.25 },
  'after-answer': { role: 'worker', frequency: 1 },
  'after-outcome': { role: 'worker', frequency: 1 },
  'after-retry': { role: 'worker', frequency: 0.05 },
  'within-inbox-batch': { role: 'worker', frequency: 0.25 },
};

/** The longest life of the first to die at each. */
const FIRST_LIFE = 40;

/** Deals out fail points to processes as they start: each once or, when there is no end to it, all of them in turn. */
export class FailPointDeck {
  private cards: FailPoint[] = [];
  private readonly unseen = new Set(Object.keys(PLACES) as FailPoint[]);

  /** @param longestLife passages of the most frequent fail point until a process dies, at most */
  constructor(
    private readonly random: SeededRandom,
    private readonly longestLife: number,
    private readonly isEndless: boolean,
  ) {
    this.shuffle();
  }

  /** Those at which no process has died yet. */
  get left(): string[] {
    return [...this.unseen];
  }

  draw(role: Role): string | null {
    const fits = (card: FailPoint) => PLACES[card].role === role;
    if (this.isEndless && !this.cards.some(fits)) this.shuffle();
    const card = this.cards.find(fits);
    if (!card) return null;
    this.cards = this.cards.filter((one) => one !== card);
    // Soon, where nobody has died yet: the run does not end before.
    const life = this.unseen.has(card) ? Math.min(this.longestLife, FIRST_LIFE) : this.longestLife;
    const most = Math.ceil(life * PLACES[card].frequency);
    return `${card}:${this.random.between(1, most)}`;
  }

  /** A process that died before it came to its fail point leaves it to the next. */
  note({ kind, failPoint }: Death): void {
    const card = failPoint?.split(':')[0] as FailPoint | undefined;
    if (!card) return;
    if (kind === 'fail point') this.unseen.delete(card);
    else if (!this.cards.includes(card)) this.cards.unshift(card);
  }

  private shuffle(): void {
    const missing = (Object.keys(PLACES) as FailPoint[]).filter((name) => !this.cards.includes(name));
    this.cards.push(...this.random.shuffled(missing));
  }
}

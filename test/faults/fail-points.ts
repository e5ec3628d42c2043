import type { FailPoint } from '../../src/common/fail-point.js';
import type { Death, Role } from './processes.js';
import type { SeededRandom } from './seeded-random.js';

/** How often a process passes each fail point, compared with the most frequent, so that all lives are equally long. */
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

/** The longest life of the first process to die at each fail point; see `longestLife`. */
const FIRST_LIFE = 40;

/** Deals out fail points to processes that start: each once or, when `isEndless`, all of them again and again. */
export class FailPointDeck {
  private cards: FailPoint[] = [];
  private readonly unseen = new Set(Object.keys(PLACES) as FailPoint[]);

  /** @param longestLife at most so many passages of the most frequent fail point until a process dies */
  constructor(
    private readonly random: SeededRandom,
    private readonly longestLife: number,
    private readonly isEndless: boolean,
  ) {
    this.shuffle();
  }

  /** The fail points at which no process has died yet. */
  get left(): string[] {
    return [...this.unseen];
  }

  draw(role: Role): string | null {
    const fits = (card: FailPoint) => PLACES[card].role === role;
    if (this.isEndless && !this.cards.some(fits)) this.shuffle();
    const card = this.cards.find(fits);
    if (!card) return null;
    this.cards = this.cards.filter((one) => one !== card);
    // Soon for a fail point at which no process has died yet, as the run does not end before that.
    const life = this.unseen.has(card) ? Math.min(this.longestLife, FIRST_LIFE) : this.longestLife;
    const most = Math.ceil(life * PLACES[card].frequency);
    return `${card}:${this.random.between(1, most)}`;
  }

  /** A process that died before its fail point leaves the fail point to the next process. */
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

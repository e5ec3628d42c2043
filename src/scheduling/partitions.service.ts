import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { KeepersService } from './keepers.service.js';
import { EVENTS, INBOX, MESSAGES, type PartedByTime } from './parted-tables.js';
import { PartitionStore } from './partition.store.js';

/** Milliseconds between two looks. */
const CLOCK = 60_000;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Partitions in which a table has what its retention keeps, about. Each costs every statement that names the table. */
const PARTITIONS = 8;

/** Days for which a partition is made where nothing is ever deleted. */
const DAYS_FOR_EVER = 30;

/** Ids by which it is judged how fast a table grows. */
const SAMPLE = 1_000_000;

/**
 * Makes partitions ahead, so that each has about an eighth of what is kept: before the ids are half a partition away from
 * the last one, which has no end, this gets an end, and the next one follows. Done late, or never, nothing is lost: the last one
 * takes whatever comes.
 */
@Injectable()
export class PartitionsService {
  private readonly logger = new Logger(PartitionsService.name);

  constructor(
    private readonly partitions: PartitionStore,
    private readonly clock: Clock,
    private readonly config: Config,
    keepers: KeepersService,
  ) {
    const look = () => this.makeAhead();
    keepers.add({ work: 'making partitions', interval: CLOCK, log: 'warn', look });
  }

  async makeAhead(): Promise<void> {
    await this.makeNext(MESSAGES, this.config.RETENTION_MESSAGES);
    await this.makeNext(INBOX, this.config.RETENTION_INBOX);
    await this.makeNext(EVENTS, this.config.RETENTION_EVENTS);
  }

  private async makeNext(table: PartedByTime, retention: number): Promise<void> {
    const last = (await this.partitions.list(table.name)).at(-1);
    const used = await this.partitions.lastId(table);
    const span = await this.spanOf(table, used, retention);
    const from = last?.from ?? 0;
    if (from - used <= span / 2) await this.cut(table, Math.max(from, used) + span);
    await this.follow(table);
  }

  /** Gives the companions the partitions that the table has; after a change that did not find its turn, too. */
  private async follow(table: PartedByTime): Promise<void> {
    const starts = (await this.partitions.list(table.name)).map(({ from }) => from ?? 0);
    for (const companion of table.companions) {
      const last = (await this.partitions.list(companion.name)).at(-1);
      for (const start of starts.filter((each) => each > (last?.from ?? 0))) await this.cut(companion, start);
    }
  }

  private async cut(table: Parameters<PartitionStore['cut']>[0], at: number): Promise<void> {
    if (await this.partitions.cut(table, at))
      this.logger.log({ message: 'Made a partition', table: table.name, from: at });
  }

  /** A partition's ids: an eighth of what the retention (days) keeps, as fast as it has come of late. */
  private async spanOf(table: PartedByTime, used: number, retention: number): Promise<number> {
    const sample = await this.partitions.madeAt(table, used - SAMPLE);
    if (!sample) return table.leastSpan;
    const age = Math.max(this.clock.now().getTime() - sample.at.getTime(), HOUR);
    const days = retention > 0 ? retention / PARTITIONS : DAYS_FOR_EVER;
    const ids = ((used - sample.id) / age) * days * DAY;
    return Math.max(table.leastSpan, Math.ceil(ids / SAMPLE) * SAMPLE);
  }
}

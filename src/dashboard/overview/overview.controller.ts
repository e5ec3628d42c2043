import { Get, Query } from '@nestjs/common';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { ApiError } from '../../common/errors.js';
import { canonicalTimeZone } from '../../messages/schedule/time-zone.js';
import { DashboardController, Live } from '../dashboard-controller.js';
import { NumbersQueries, WAITING_LIMIT } from '../numbers/numbers-queries.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { PERIODS, type PeriodName } from './domain/period.js';
import { OverviewService } from './overview.service.js';

class OverviewQuery {
  @IsIn(Object.keys(PERIODS))
  period: PeriodName = '7d';

  /** The time zone of the days. */
  @IsString()
  @MaxLength(64)
  zone = 'UTC';
}

/** The overview: figures of a period, and what waits now. */
@DashboardController('overview')
export class OverviewController {
  constructor(
    private readonly figures: OverviewService,
    private readonly numbers: NumbersQueries,
  ) {}

  @Get()
  async find(@CurrentUser() { tenantId }: SessionUser, @Query() { period, zone: name }: OverviewQuery) {
    const zone = canonicalTimeZone(name);
    if (!zone) {
      const message = 'zone must be the IANA name of a time zone, such as Europe/Berlin.';
      throw new ApiError('INVALID_TIMEZONE', message, [{ field: 'zone', message }]);
    }
    return { success: true, data: await this.figures.read(tenantId, period, zone) };
  }

  /** What waits now, and what it waits for. */
  @Live()
  @Get('queue')
  async queue(@CurrentUser() { tenantId }: SessionUser) {
    const [numbers, holds] = await Promise.all([
      this.numbers.numbers(tenantId),
      this.numbers.holds(tenantId),
    ]);
    const total = (count: (number: (typeof numbers)[number]) => number) =>
      numbers.reduce((sum, number) => sum + count(number), 0);
    const times = numbers.flatMap(({ oldest_due_at: at }) => (at ? [at.getTime()] : []));
    return {
      success: true,
      data: {
        numbers: numbers.length,
        waiting: total(({ waiting }) => waiting) + holds.reduce((sum, { held }) => sum + held, 0),
        waiting_is_more: numbers.some(({ waiting }) => waiting === WAITING_LIMIT),
        due: total(({ due }) => due),
        oldest_due_at: times.length > 0 ? new Date(Math.min(...times)) : null,
        sent_last_minute: total((number) => number.sent_last_minute),
        holds,
      },
    };
  }
}

import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors.js';
import { Turns } from '../../common/turns.js';

interface Bound {
  /** How many of one tenant may run at the same time, in one process. */
  most: number;
  /** Seconds to wait before another try: one of them may have ended by then. */
  retryAfter: number;
  message: string;
}

/** Work that takes long enough for a tenant to pile it up. The bounds are far above what people do by hand. */
const BOUNDS = {
  /** Each upload takes a connection, and a stream into the database or to the provider. */
  uploads: {
    most: 4,
    retryAfter: 5,
    message: 'Your team is uploading 4 files already: wait until one of them is through, then try again.',
  },
  /** Each export reads all the time, on the connections that the tenant's pages also read on. */
  exports: {
    most: 2,
    retryAfter: 10,
    message: 'Your team is exporting 2 files already: wait until one of them is through, then try again.',
  },
  /** Each judges up to 100,000 rows, and goes on where its draft is edited and checked again. */
  checks: {
    most: 3,
    retryAfter: 10,
    message: 'Your team is checking 3 campaigns already: wait until one of them is through, then try again.',
  },
} satisfies Record<string, Bound>;

export type BoundName = keyof typeof BOUNDS;

/**
 * Bounds how much of one kind of work a tenant has under way at the same time; one more is refused at once. A place is
 * free again when its work has ended, in whatever way.
 */
@Injectable()
export class TenantBoundsService {
  private readonly turns = new Map(
    Object.entries<Bound>(BOUNDS).map(([name, { most, retryAfter, message }]) => [
      name,
      new Turns({ atOnce: most, late: () => new ApiError('RATE_LIMITED', message, [], retryAfter) }),
    ]),
  );

  /** @throws ApiError RATE_LIMITED */
  run<Result>(name: BoundName, tenantId: string, work: () => Promise<Result>): Promise<Result> {
    return (this.turns.get(name) as Turns).run(tenantId, 0, work);
  }
}

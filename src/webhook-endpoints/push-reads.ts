import { Injectable } from '@nestjs/common';
import { Turns } from '../common/turns.js';
import type { Queryable } from '../database/database.js';
import { Reads } from '../database/reads.js';

/** Reads of all tenants' events that are under way at the same time in a process: lists keep the other connections. */
const AT_ONCE = 2;

/** Milliseconds that a read waits for others: nobody waits for it but events, and a lease lasts longer. */
const PATIENCE = 20_000;

/** Reads of the events that are to be posted. However many endpoints catch up, lists and searches go on beside them. */
@Injectable()
export class PushReads {
  /** One at a time: it takes one of the tenant's turns at most, also while it waits for the reads of others. */
  private readonly ofTenant = new Turns({ atOnce: 1, late });
  private readonly ofAll = new Turns({ atOnce: AT_ONCE, late });

  constructor(private readonly reads: Reads) {}

  of(tenantId: string): Queryable {
    const run: Queryable['run'] = (statement, values) =>
      this.ofTenant.run(tenantId, PATIENCE, () =>
        this.reads.turn(
          tenantId,
          (reads) => this.ofAll.run('all', PATIENCE, () => reads.run(statement, values)),
          PATIENCE,
        ),
      );
    return { run };
  }
}

function late(): Error {
  return new Error(`Its events could not be read within ${PATIENCE / 1_000} seconds`);
}

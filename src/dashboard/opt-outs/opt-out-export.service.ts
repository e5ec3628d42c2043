import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { FILE_PATIENCE, Reads } from '../../database/reads.js';
import type { PagePosition } from '../../http/cursor.js';
import { type OptOutFilter, type OptOutRow, OptOutsService } from '../../recipients/opt-outs.service.js';
import { csvHeader, csvLines } from '../messages/csv.js';

/** Rows read at a time. */
const BATCH = 1_000;

const COLUMNS = ['phone', 'scope', 'reason', 'source', 'created_at'];

/** Writes opt-outs as CSV, which an import takes as well. */
@Injectable()
export class OptOutExportService {
  constructor(
    private readonly optOuts: OptOutsService,
    private readonly reads: Reads,
  ) {}

  /** Newest first. The first batch is read before this returns, so that a fault is still an answer. */
  async open(tenantId: string, filter: Pick<OptOutFilter, 'source'>): Promise<Readable> {
    const first = await this.read(tenantId, filter, null);
    return Readable.from(this.write(tenantId, filter, first), { objectMode: false });
  }

  private read(tenantId: string, filter: OptOutFilter, after: PagePosition | null) {
    return this.optOuts.page(
      tenantId,
      filter,
      { limit: BATCH, after },
      this.reads.of(tenantId, FILE_PATIENCE),
    );
  }

  private async *write(
    tenantId: string,
    filter: OptOutFilter,
    first: Awaited<ReturnType<OptOutExportService['read']>>,
  ): AsyncGenerator<string> {
    yield csvHeader(COLUMNS);
    for (let page = first; ; page = await this.read(tenantId, filter, page.next)) {
      if (page.rows.length > 0) yield csvLines(page.rows.map(toRow));
      if (!page.next) return;
    }
  }
}

const toRow = ({ phone, scope, reason, source, created_at }: OptOutRow) => [
  `+${phone}`,
  scope,
  reason,
  source,
  created_at.toISOString(),
];

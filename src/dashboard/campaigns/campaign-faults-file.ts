import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { CampaignRow } from '../../campaigns/campaign.store.js';
import { RecipientsStore } from '../../campaigns/recipients.store.js';
import { FILE_PATIENCE, Reads } from '../../database/reads.js';
import { csvLine } from '../messages/csv.js';

/** Rows read at a time. */
const BATCH = 500;

/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Writes the rows that have a fault as CSV: the uploaded cells, followed by what is wrong. */
@Injectable()
export class CampaignFaultsFile {
  constructor(
    private readonly recipients: RecipientsStore,
    private readonly reads: Reads,
  ) {}

  open(campaign: CampaignRow): Readable {
    return Readable.from(this.write(campaign), { objectMode: false });
  }

  private async *write({ id, tenant_id: tenantId, columns }: CampaignRow): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLine([...(columns ?? []), 'row', 'faulty column', 'fault', 'explanation']);
    const reads = this.reads.of(tenantId, FILE_PATIENCE);
    let after = 0;
    for (;;) {
      const rows = await this.recipients.page(id, BATCH, after, { faulty: true }, reads);
      for (const { row_number, cells, fault } of rows) {
        yield csvLine([...cells, row_number, fault?.column ?? '', fault?.code ?? '', fault?.message ?? '']);
      }
      if (rows.length < BATCH) return;
      after = rows.at(-1)?.row_number ?? after;
    }
  }
}

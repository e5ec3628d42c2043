import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { CampaignRow } from '../../campaigns/campaign.store.js';
import { RecipientsStore } from '../../campaigns/recipients.store.js';
import { csvLine } from '../messages/csv.js';

/** Rows read at a time. */
const BATCH = 500;

/** Spreadsheets take a file for UTF-8 by it. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Writes the rows that have a fault as CSV: as uploaded, with what is wrong behind. */
@Injectable()
export class CampaignFaultsFile {
  constructor(private readonly recipients: RecipientsStore) {}

  open(campaign: CampaignRow): Readable {
    return Readable.from(this.write(campaign), { objectMode: false });
  }

  private async *write({ id, columns }: CampaignRow): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLine([...(columns ?? []), 'row', 'faulty column', 'fault', 'explanation']);
    let after = 0;
    for (;;) {
      const rows = await this.recipients.page(id, BATCH, after, { faulty: true });
      for (const { row_number, cells, fault } of rows) {
        yield csvLine([...cells, row_number, fault?.column ?? '', fault?.code ?? '', fault?.message ?? '']);
      }
      if (rows.length < BATCH) return;
      after = rows.at(-1)?.row_number ?? after;
    }
  }
}

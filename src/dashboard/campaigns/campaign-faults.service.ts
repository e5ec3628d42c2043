import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { CampaignRow } from '../../campaigns/campaign.store.js';
import { type RecipientView, RecipientsStore } from '../../campaigns/recipients.store.js';
import { FILE_PATIENCE, Reads } from '../../database/reads.js';
import { csvHeader, csvLines } from '../messages/csv.js';

/** Rows read at a time. */
const BATCH = 500;

/** Writes the rows that have a fault as CSV: the uploaded cells, followed by what is wrong. */
@Injectable()
export class CampaignFaultsService {
  constructor(
    private readonly recipients: RecipientsStore,
    private readonly reads: Reads,
  ) {}

  open(campaign: CampaignRow): Readable {
    return Readable.from(this.write(campaign), { objectMode: false });
  }

  private async *write({ id, tenant_id: tenantId, columns }: CampaignRow): AsyncGenerator<string> {
    yield csvHeader([...(columns ?? []), 'row', 'faulty column', 'fault', 'explanation']);
    const reads = this.reads.of(tenantId, FILE_PATIENCE);
    let after = 0;
    for (;;) {
      const rows = await this.recipients.page(id, BATCH, after, { faulty: true }, reads);
      if (rows.length > 0) yield csvLines(rows.map(toRow));
      if (rows.length < BATCH) return;
      after = rows.at(-1)?.row_number ?? after;
    }
  }
}

function toRow({ row_number, cells, fault }: RecipientView) {
  return [...cells, row_number, fault?.column ?? '', fault?.code ?? '', fault?.message ?? ''];
}

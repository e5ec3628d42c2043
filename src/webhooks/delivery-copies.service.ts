import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/database.js';
import { parseWireJson } from '../provider/wire-json.js';
import { isAboutMessages } from './domain/read-webhook.js';
import { InboxService } from './inbox.service.js';
import { SignatureService } from './signature.service.js';

/** A delivery as it is kept outside of the inbox. */
export interface DeliveryCopy {
  /** The raw body. */
  payload: string;
  /** Its X-Hub-Signature-256; copies from the inbox have none, as it was checked before. */
  signature?: string;
}

export interface Imported {
  /** Put into the inbox, and applied by the workers. */
  imported: number;
  /** In the inbox already. */
  repeated: number;
  /** Without a good signature. */
  refused: number;
}

/** Deliveries that are read or stored at a time. */
const PAGE = 50;

/** Milliseconds from a delivery's arrival to its commit at most, and between two clocks. */
const MARGIN = 60_000;

/** Copies of deliveries: from the inbox of a database that is given up, or of a proxy, to be applied here. */
@Injectable()
export class DeliveryCopiesService {
  constructor(
    private readonly database: Database,
    private readonly inbox: InboxService,
    private readonly signatures: SignatureService,
  ) {}

  /** The deliveries that were stored since then, and some from before, newest first. */
  async *since(time: Date): AsyncGenerator<DeliveryCopy> {
    const from = new Date(time.getTime() - MARGIN);
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const page: { id: number; payload: string; received_at: Date }[] = await this.database.run(
        PAGE_BEFORE,
        [before, PAGE],
      );
      const wanted = page.filter(({ received_at: at }) => at >= from);
      for (const { payload } of wanted) yield { payload };
      // Ids follow the order of arrival, but for some that arrive together.
      if (page.length < PAGE || wanted.length === 0) return;
      before = page.at(-1)!.id;
    }
  }

  /** @param isTrusted they come from an inbox: no signature is asked for */
  async import(copies: AsyncIterable<DeliveryCopy>, isTrusted: boolean): Promise<Imported> {
    const result: Imported = { imported: 0, repeated: 0, refused: 0 };
    let batch: DeliveryCopy[] = [];
    for await (const copy of copies) {
      batch.push(copy);
      if (batch.length < PAGE) continue;
      await this.store(batch, isTrusted, result);
      batch = [];
    }
    await this.store(batch, isTrusted, result);
    return result;
  }

  private async store(batch: DeliveryCopy[], isTrusted: boolean, result: Imported): Promise<void> {
    const good: DeliveryCopy[] = [];
    for (const copy of batch)
      if (isTrusted || (await this.signatures.fitsCopy(Buffer.from(copy.payload), copy.signature)))
        good.push(copy);
    const imported = await this.inbox.putAll(
      good.map(({ payload }) => ({ payload, recognisable: isAboutMessages(parseWireJson(payload)) })),
    );
    result.imported += imported;
    result.repeated += good.length - imported;
    result.refused += batch.length - good.length;
  }
}

export const PAGE_BEFORE: Statement = {
  name: 'inbox_page_before',
  timeout: 15_000, // each may have 3 MB
  text: `
    SELECT id, payload, received_at FROM webhook_inbox WHERE id < $1 ORDER BY id DESC LIMIT $2`,
};

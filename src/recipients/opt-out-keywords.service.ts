import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Statement } from '../database/database.js';
import { DEFAULT_KEYWORDS } from './domain/opt-out-keywords.js';

/** The words of a tenant by which its recipients opt out. */
export interface OptOutKeywords {
  keywords: readonly string[];
  /** Whether they are the usual ones, also those of later versions. */
  are_default: boolean;
}

/** Keeps the words by which recipients opt out: each tenant has the usual ones until it chooses its own. */
@Injectable()
export class OptOutKeywordsService {
  constructor(private readonly database: Database) {}

  async find(tenantId: string): Promise<OptOutKeywords> {
    return (await this.of([tenantId])).get(tenantId) as OptOutKeywords;
  }

  /** Those of several tenants, by their ids. */
  async of(tenantIds: string[], connection: Queryable = this.database): Promise<Map<string, OptOutKeywords>> {
    const rows = await connection.run<{ id: string; keywords: string[] | null }>(FIND, [tenantIds]);
    return new Map(rows.map(({ id, keywords }) => [id, viewOf(keywords)]));
  }

  /** @param keywords null for the usual ones */
  async change(tenantId: string, keywords: string[] | null): Promise<OptOutKeywords> {
    await this.database.run(CHANGE, [tenantId, keywords]);
    return viewOf(keywords);
  }
}

const viewOf = (keywords: string[] | null): OptOutKeywords => ({
  keywords: keywords ?? DEFAULT_KEYWORDS,
  are_default: keywords === null,
});

const FIND: Statement = {
  name: 'opt_out_keywords_find',
  text: 'SELECT id, opt_out_keywords AS keywords FROM tenants WHERE id = ANY($1::uuid[])',
};

const CHANGE: Statement = {
  name: 'opt_out_keywords_change',
  text: 'UPDATE tenants SET opt_out_keywords = $2 WHERE id = $1',
};

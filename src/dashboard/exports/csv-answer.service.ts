import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';

/** Answers with CSV files of any length. */
@Injectable()
export class CsvAnswerService {
  /**
   * Milliseconds after which a reader that takes nothing, though there is more, is given up. Longer than a file waits for
   * its next rows.
   */
  patience = 60_000;

  /** Ends with the file, or when the reader has left. After a fault the connection is cut: the file is incomplete. */
  async send(response: Response, name: string, rows: Readable): Promise<void> {
    response.setHeader('Content-Type', 'text/csv; charset=utf-8');
    response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
    response.setHeader('Cache-Control', 'no-store');
    response.setTimeout(this.patience, () => response.destroy());
    try {
      await pipeline(rows, response);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error; // the reader has left
    }
  }
}

import { dashboardUrl, lineSignal, type Query } from './client';
import { connectionIsUp } from './connection';
import { faultOf } from './fault';

/** Bytes that are kept in memory before they become a Blob, which the browser may put on disk. */
const PART = 4 * 1024 * 1024;

const NEWLINE = 0x0a;
const QUOTE = 0x22;

export interface ExportProgress {
  /** Rows so far, without the heading. */
  rows: number;
  bytes: number;
}

export interface ExportedFile extends ExportProgress {
  file: Blob;
  name: string;
}

/**
 * Receives an export and reports its progress. When the connection breaks off, or `signal` ends it, it throws: there is
 * no half file.
 * @throws ApiFault when the service refuses, another error when the connection breaks off
 */
export async function receiveExport(
  path: string,
  query: Query | undefined,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
): Promise<ExportedFile> {
  const response = await fetch(dashboardUrl(path, query), {
    signal: AbortSignal.any([signal, lineSignal()]),
    credentials: 'same-origin',
  });
  if (!response.ok || !response.body)
    throw faultOf(response.status, await response.text(), response.headers.get('Retry-After'));
  const count = lineCounter();
  const parts: Blob[] = [];
  let buffered: Uint8Array<ArrayBuffer>[] = [];
  let bufferedBytes = 0;
  let progress = { rows: 0, bytes: 0 };
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    connectionIsUp();
    buffered.push(value);
    bufferedBytes += value.length;
    if (bufferedBytes >= PART) {
      parts.push(new Blob(buffered));
      [buffered, bufferedBytes] = [[], 0];
    }
    progress = { rows: Math.max(count(value) - 1, 0), bytes: progress.bytes + value.length };
    onProgress(progress);
  }
  const file = new Blob([...parts, ...buffered], { type: 'text/csv' });
  return { ...progress, file, name: nameOf(response) };
}

/** Counts the lines of a CSV file while it arrives; a line break within quotes does not count. */
function lineCounter(): (bytes: Uint8Array) => number {
  let lines = 0;
  let isQuoted = false;
  return (bytes) => {
    for (const byte of bytes) {
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === NEWLINE && !isQuoted) lines += 1;
    }
    return lines;
  };
}

function nameOf(response: Response): string {
  return /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'export.csv';
}

/** Puts a file into the user's downloads. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // By the next turn of its event loop, the browser has begun to read the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}

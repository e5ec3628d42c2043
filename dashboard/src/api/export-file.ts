import { dashboardUrl, lineSignal, type Query } from './client';
import { connectionIsUp } from './connection';
import { faultOf } from './fault';

/** Bytes that are kept apart before the browser may put them on disk, as part of a Blob. */
const PART = 4 * 1024 * 1024;

const NEWLINE = 0x0a;
const QUOTE = 0x22;

export interface ExportProgress {
  /** Without the heading. */
  rows: number;
  bytes: number;
}

export interface ExportedFile extends ExportProgress {
  file: Blob;
  name: string;
}

/**
 * Receives an export and tells its progress. A connection that breaks off, or that `signal` ends, is a fault: there is
 * no half file.
 * @throws ApiFault when the service refuses, something else when the connection breaks off
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

/** Counts the lines of a CSV file as it comes; a line break within quotes is none. */
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
  // The browser has begun to read it by the next turn of its loop.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}

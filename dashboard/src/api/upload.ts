import {
  csrfHeader,
  dashboardUrl,
  noAnswer,
  type Query,
  type RawAnswer,
  readAnswer,
  withSession,
} from './client';
import { lineIsBusy } from './connection';

/** Milliseconds without progress, or without an answer, after which an upload is given up. */
const STANDSTILL = 90_000;

interface UploadOptions {
  query?: Query;
  /** Gets the fraction that has been sent, 0 to 1. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
}

/** Sends a file as the raw body. It uses XMLHttpRequest, as fetch reports no progress. */
export async function upload<T>(path: string, file: Blob, options: UploadOptions = {}): Promise<T> {
  const { data } = await withSession(options, () =>
    post(dashboardUrl(path, options.query), file, options).then(readAnswer<T>),
  );
  return data;
}

function post(url: string, file: Blob, { onProgress, signal }: UploadOptions): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    let giveUp: ReturnType<typeof setTimeout>;
    const goOn = () => {
      clearTimeout(giveUp);
      giveUp = setTimeout(abort, STANDSTILL);
    };
    request.open('POST', url);
    request.setRequestHeader('Content-Type', file.type || 'application/octet-stream');
    for (const [name, value] of Object.entries(csrfHeader('POST'))) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', (event) => {
      lineIsBusy();
      goOn();
      onProgress?.(event.total > 0 ? event.loaded / event.total : 1);
    });
    request.addEventListener('load', () =>
      resolve({
        status: request.status,
        text: request.responseText,
        retryAfter: request.getResponseHeader('Retry-After'),
      }),
    );
    request.addEventListener('error', () => reject(noAnswer()));
    request.addEventListener('abort', () => reject(signal?.aborted ? signal.reason : noAnswer()));
    request.addEventListener('loadend', () => {
      clearTimeout(giveUp);
      signal?.removeEventListener('abort', abort);
    });
    signal?.addEventListener('abort', abort);
    goOn();
    request.send(file);
  });
}

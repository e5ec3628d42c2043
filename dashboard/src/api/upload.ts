import { csrfHeader, dashboardUrl, noAnswer, type Query, readAnswer, withSession } from './client';

interface UploadOptions {
  query?: Query;
  /** Told the fraction that has been sent, 0 to 1. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
}

/** Sends a file as the raw body. By XMLHttpRequest, as fetch tells no progress. */
export async function upload<T>(path: string, file: Blob, options: UploadOptions = {}): Promise<T> {
  const { data } = await withSession(options, () =>
    post(dashboardUrl(path, options.query), file, options).then(({ status, text, retryAfter }) =>
      readAnswer<T>(status, text, retryAfter),
    ),
  );
  return data;
}

interface RawAnswer {
  status: number;
  text: string;
  retryAfter: string | null;
}

function post(url: string, file: Blob, { onProgress, signal }: UploadOptions): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('POST', url);
    request.setRequestHeader('Content-Type', file.type || 'application/octet-stream');
    for (const [name, value] of Object.entries(csrfHeader('POST'))) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', (event) =>
      onProgress?.(event.total > 0 ? event.loaded / event.total : 1),
    );
    request.addEventListener('load', () =>
      resolve({
        status: request.status,
        text: request.responseText,
        retryAfter: request.getResponseHeader('Retry-After'),
      }),
    );
    request.addEventListener('error', () => reject(noAnswer()));
    request.addEventListener('abort', () => reject(signal?.reason));
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
    signal?.addEventListener('abort', abort);
    request.send(file);
  });
}

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

interface MediaFile {
  fileName: string;
  /** Its MIME type. */
  fileType: string;
  content: Readable | Uint8Array;
  /** Bytes. */
  length: number;
}

/**
 * A file as the multipart form in which the provider takes media. Written by hand, as FormData takes no stream: files
 * have up to 100 MB.
 */
export function mediaForm(file: MediaFile): {
  body: Readable;
  headers: Record<string, string>;
} {
  const boundary = `form-${randomBytes(16).toString('hex')}`;
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const fileHead =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${escapeName(file.fileName)}"\r\n` +
    `Content-Type: ${file.fileType}\r\n\r\n`;
  const head = Buffer.from(field('messaging_product', 'whatsapp') + field('type', file.fileType) + fileHead);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* parts() {
    yield head;
    if (file.content instanceof Readable) yield* file.content as AsyncIterable<Uint8Array>;
    else yield file.content;
    yield tail;
  }
  return {
    body: Readable.from(parts(), { objectMode: false }),
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.length + tail.length),
    },
  };
}

/** Escapes as browsers do, by the HTML standard. */
function escapeName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

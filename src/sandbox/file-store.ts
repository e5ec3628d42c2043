/** A file that was uploaded: a template's sample or media to send. */
export interface StoredFile {
  type: string;
  name: string;
  bytes: Buffer;
}

const MOST_BYTES = 64 * 1024 * 1024;

/** Uploaded files by handle or id, in memory; beyond 64 MiB in all the oldest go. */
export class FileStore {
  private readonly files = new Map<string, StoredFile>();
  private total = 0;

  put(key: string, file: StoredFile): void {
    this.files.set(key, file);
    this.total += file.bytes.length;
    for (const [oldest, { bytes }] of this.files) {
      if (this.total <= MOST_BYTES || this.files.size === 1) break;
      this.files.delete(oldest);
      this.total -= bytes.length;
    }
  }

  remove(key: string): void {
    this.total -= this.files.get(key)?.bytes.length ?? 0;
    this.files.delete(key);
  }

  get(key: string): StoredFile | undefined {
    return this.files.get(key);
  }
}

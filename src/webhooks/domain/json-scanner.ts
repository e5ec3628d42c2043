/** How deep objects and arrays may be nested; the deepest documented delivery has a dozen levels. */
export const MAX_DEPTH = 64;

/** The longest text that is read, in bytes; a longer one is neither an id nor the name of a field. */
const MAX_TEXT = 64;

/** The most members and items that are read: 1,000 updates, the provider's most, have some 10,000. */
const MAX_PARTS = 40_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Reads a few members of untrusted JSON and steps over the rest: one pass over the bytes, without recursion over the
 * nesting and without making objects. It does not check the JSON: in invalid JSON, it reads as far as it understands.
 * Names with escapes are not recognised, and texts with escapes are not read.
 *
 * It is our own code because parsers do too much: `JSON.parse` takes 1.5 s for 3 MB of nested arrays, and a streaming
 * parser makes a token of each value. This takes 5 to 15 ms for any 3 MB.
 */
export class JsonScanner {
  private at = 0;
  private parts = 0;
  /** Whether it stopped early: there is too much, something is nested too deeply, or `stop` was called. */
  isStopped = false;

  constructor(private readonly bytes: Uint8Array) {}

  /** Calls `visit` for each member of these names, to step over its value. @returns false if there is no object here */
  object<Name extends string>(names: readonly Name[], visit: (name: Name) => void): boolean {
    if (this.peek() !== OPEN_OBJECT) return this.skip();
    this.at += 1;
    while (this.peek() === QUOTE) {
      const start = this.at + 1;
      this.skipText();
      const name = names.find((one) => this.says(one, start));
      if (!this.take(COLON)) return this.end();
      if (name === undefined) this.skip();
      else visit(name);
      if (!this.goesOn()) break;
    }
    return this.take(CLOSE_OBJECT) || !this.end();
  }

  /** Calls `visit` for each item, to step over it. @returns false for what is no array */
  array(visit: () => void): boolean {
    if (this.peek() !== OPEN_ARRAY) return this.skip();
    this.at += 1;
    if (this.take(CLOSE_ARRAY)) return true;
    do visit();
    while (this.goesOn());
    return this.take(CLOSE_ARRAY) || !this.end();
  }

  /** A short text, or a number as it is written; null for anything else. */
  text(): string | null {
    const first = this.peek();
    const isText = first === QUOTE;
    const start = isText ? this.at + 1 : this.at;
    this.skip();
    const end = isText ? this.at - 1 : this.at;
    if (!(isText || isOfNumber(first)) || end - start > MAX_TEXT) return null;
    const written = String.fromCharCode(...this.bytes.subarray(start, end));
    return written.includes('\\') ? null : written;
  }

  /** Reads no further. */
  stop(): void {
    this.isStopped = true;
    this.end();
  }

  /** Whether another member or item follows. */
  private goesOn(): boolean {
    if (!this.take(COMMA)) return false;
    if ((this.parts += 1) > MAX_PARTS) this.stop();
    return true;
  }

  private skip(): false {
    const first = this.peek();
    if (first === QUOTE) this.skipText();
    else if (first === OPEN_ARRAY || first === OPEN_OBJECT) this.skipNested();
    else this.skipWord();
    return false;
  }

  /** Steps over an object or array by counting brackets, without telling their kinds apart. */
  private skipNested(): void {
    const { bytes } = this;
    let at = this.at;
    let depth = 0;
    do {
      const byte = bytes[at];
      if (byte === QUOTE) at = endOfText(bytes, at);
      else at += 1;
      if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
      else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
      if (depth > MAX_DEPTH) return this.stop();
    } while (depth > 0 && at < bytes.length);
    this.at = at;
  }

  private skipText(): void {
    this.at = endOfText(this.bytes, this.at);
  }

  /** A number, `true`, `false` or `null`. */
  private skipWord(): void {
    const start = this.at;
    while (isOfWord(this.bytes[this.at])) this.at += 1;
    if (this.at === start) this.end();
  }

  /** The next byte that is no white space. */
  private peek(): number | undefined {
    let byte = this.bytes[this.at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)
      byte = this.bytes[(this.at += 1)];
    return byte;
  }

  private take(byte: number): boolean {
    if (this.peek() !== byte) return false;
    this.at += 1;
    return true;
  }

  /** Whether the text that begins there and has just been stepped over says this. */
  private says(name: string, start: number): boolean {
    if (this.at - 1 - start !== name.length) return false;
    for (let i = 0; i < name.length; i += 1) if (this.bytes[start + i] !== name.charCodeAt(i)) return false;
    return true;
  }

  private end(): false {
    this.at = this.bytes.length;
    return false;
  }
}

/** The index after the closing quotation mark, or the end. */
function endOfText(bytes: Uint8Array, start: number): number {
  const end = bytes.length;
  let at = start + 1;
  while (at < end) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return end;
}

function isOfNumber(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || byte === 0x2d);
}

function isOfWord(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
  return isLetter || isOfNumber(byte) || byte === 0x2b || byte === 0x2e;
}

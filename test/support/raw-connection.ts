import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Answer } from './api.js';
import { eventually } from './eventually.js';

/** A TCP connection over which a test can send what no HTTP client would. */
export class RawConnection {
  private received = '';

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('latin1').on('data', (text: string) => (this.received += text));
    socket.on('error', () => undefined); // tests expect that the service ends it
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  get isClosed(): boolean {
    return this.socket.readableEnded || this.socket.destroyed;
  }

  /** All that the service has sent. */
  get text(): string {
    return this.received;
  }

  say(bytes: string | Buffer): this {
    this.socket.write(bytes);
    return this;
  }

  /** Ends our half of the connection: we send no more, but still read everything. */
  endHalf(): this {
    this.socket.end();
    return this;
  }

  /** The answers that the service sends until it closes the connection. */
  async answersUntilClosed(): Promise<Answer[]> {
    return readAnswers(await this.textUntilClosed());
  }

  async textUntilClosed(): Promise<string> {
    await eventually(() => {
      if (!this.isClosed) throw new Error(`It is still open, and has said: ${this.received}`);
    });
    this.leave();
    return this.received;
  }

  /** The first `count` answers; the connection stays open. */
  async answers(count: number): Promise<Answer[]> {
    return eventually(() => {
      const answers = readAnswers(this.received);
      if (answers.length < count) throw new Error(`It has only said: ${this.received}`);
      return answers;
    });
  }

  leave(): void {
    this.socket.destroy();
  }
}

/** The complete answers in a text, each with its length in a header; "100 Continue" does not count. */
function readAnswers(text: string): Answer[] {
  const answers: Answer[] = [];
  for (let rest = text; rest.includes('\r\n\r\n');) {
    const [head = ''] = rest.split('\r\n\r\n', 1);
    const [top = '', ...lines] = head.split('\r\n');
    const headers = new Headers(
      lines.map((line) => line.split(/:\s*/, 2) as [string, string]).filter(([name]) => name),
    );
    const start = head.length + 4;
    const length = Number(headers.get('Content-Length') ?? 0);
    if (rest.length < start + length) break;
    const body = rest.slice(start, start + length);
    rest = rest.slice(start + length);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(top)?.[1]);
    if (status === 100) continue;
    const isJson = headers.get('Content-Type')?.includes('json');
    answers.push({ status, headers, text: body, body: isJson && body ? JSON.parse(body) : null });
  }
  return answers;
}

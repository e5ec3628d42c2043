import { connect, type Socket } from 'node:net';

export type Done = (error: Error | null, status: number, body: Buffer) => void;

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * One kept-alive connection for one request at a time. It does no more than a benchmark needs, so that it takes little
 * CPU from the measured processes: answers must have a Content-Length, or no body.
 */
export class HttpConnection {
  private socket: Socket;
  private received: Buffer | null = null;
  private done: Done | null = null;

  private constructor(private readonly url: URL) {
    this.socket = this.connect();
  }

  static async open(url: string): Promise<HttpConnection> {
    const connection = new HttpConnection(new URL(url));
    await new Promise<void>((resolve, reject) => {
      connection.socket.once('connect', resolve).once('error', reject);
    });
    return connection;
  }

  /** @param request head and body, in ASCII; @param done is called once */
  request(request: string, done: Done): void {
    this.done = done;
    // Servers close connections that were idle for some seconds.
    if (!this.socket.writable) this.socket = this.connect();
    this.socket.write(request, 'latin1');
  }

  close(): void {
    this.done = null;
    this.socket.destroy();
  }

  private connect(): Socket {
    const socket = connect(Number(this.url.port), this.url.hostname);
    socket.setNoDelay(true);
    const fail = (error: Error) => {
      if (socket === this.socket) this.answer(error, 0, Buffer.alloc(0));
    };
    this.received = null;
    return socket
      .on('data', (chunk: Buffer) => this.receive(chunk))
      .on('error', fail)
      .on('close', () => fail(new Error('The connection was closed')));
  }

  private receive(chunk: Buffer): void {
    const data = this.received ? Buffer.concat([this.received, chunk]) : chunk;
    this.received = data;
    const headEnd = data.indexOf(HEAD_END);
    if (headEnd === -1) return;
    const head = data.toString('latin1', 0, headEnd);
    if (/\r\ntransfer-encoding:/i.test(head)) {
      return this.answer(new Error('The answer comes in chunks, which are not read here'), 0, data);
    }
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    const end = headEnd + HEAD_END.length + length;
    if (data.length < end) return;
    this.received = null;
    this.answer(null, Number(head.slice(9, 12)), data.subarray(headEnd + HEAD_END.length, end));
  }

  private answer(error: Error | null, status: number, body: Buffer): void {
    const { done } = this;
    this.done = null;
    done?.(error, status, body);
  }
}

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail that came to a {@link MailServer}. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and text, decoded as far as our mails need it. */
  raw: string;
}

/** A real mail server on this machine: keeps what it takes, and fails as it is told. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** Mails that were offered, also those that were not taken. */
  offered = 0;
  /** What it does with a mail: takes it, refuses it for now, or says nothing from the connection on. */
  mode: 'takes' | 'refuses' | 'hangs' = 'takes';
  private readonly smtp: SMTPServer;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly front: Server) {
    this.smtp = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      logger: false,
      onAuth: ({ username, password }, _session, done) =>
        username === 'mailer' && password === 'p@ss word'
          ? done(null, { user: username })
          : done(new Error('wrong password')),
      onMailFrom: (_address, _session, done) => {
        this.offered += 1;
        done(this.mode === 'refuses' ? Object.assign(new Error('later'), { responseCode: 451 }) : null);
      },
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const from = envelope.mailFrom ? envelope.mailFrom.address : '';
          const raw = decoded(Buffer.concat(chunks).toString());
          this.mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw });
          done();
        });
      },
    });
    this.smtp.on('error', () => undefined); // of a connection that a test has cut
    front.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
      if (this.mode !== 'hangs') this.smtp.server.emit('connection', socket);
    });
  }

  static async start(): Promise<MailServer> {
    const front = createServer();
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    return new MailServer(front);
  }

  /** With the user and password that it wants. */
  get url(): string {
    return `smtp://mailer:p%40ss%20word@127.0.0.1:${(this.front.address() as AddressInfo).port}`;
  }

  /** Connections that are open. */
  get connections(): number {
    return this.sockets.size;
  }

  /** Cuts all connections. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.front.close(resolve));
  }
}

/** Quoted-printable lines as text. */
function decoded(raw: string): string {
  return raw
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([\dA-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\r\n', '\n');
}

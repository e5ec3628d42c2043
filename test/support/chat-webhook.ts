import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** An incoming webhook as chats have it: keeps the texts that it takes, and answers as it is told. */
export class ChatWebhook {
  readonly texts: string[] = [];
  /** What it answers with; null: nothing. */
  status: number | null = 200;

  private constructor(private readonly server: Server) {
    server.on('request', async (request, response) => {
      const { text } = (await json(request)) as { text: string };
      if (this.status === null) return;
      if (this.status < 300) this.texts.push(text);
      response.writeHead(this.status).end('ok');
    });
  }

  static async start(): Promise<ChatWebhook> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ChatWebhook(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/services/T0/B0/a-secret`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

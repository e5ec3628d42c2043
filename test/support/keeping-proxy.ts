import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A delivery as a proxy keeps it: a line of the file that inbox:import reads. */
export interface KeptDelivery {
  payload: string;
  signature: string;
}

/** Stands before the service's address for webhooks, and keeps what was answered 200. */
export class KeepingProxy {
  readonly kept: KeptDelivery[] = [];
  private readonly server: Server;

  /**
   * @param target URL that deliveries are passed on to
   * @param swallows whether a delivery is answered and gone, as if the provider had never sent it
   */
  constructor(
    private readonly target: () => string,
    private readonly swallows: (payload: string) => boolean,
  ) {
    this.server = createServer((request, response) => {
      void buffer(request)
        .then((body) => this.pass(body.toString(), String(request.headers['x-hub-signature-256'])))
        .then((status) => response.writeHead(status).end());
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async pass(payload: string, signature: string): Promise<number> {
    if (this.swallows(payload)) return 200;
    const headers = { 'Content-Type': 'application/json', 'X-Hub-Signature-256': signature };
    const status = await fetch(this.target(), { method: 'POST', headers, body: payload }).then(
      (answer) => answer.status,
      () => 502,
    );
    if (status === 200) this.kept.push({ payload, signature });
    return status;
  }
}

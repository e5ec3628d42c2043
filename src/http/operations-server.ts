import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { ApiError } from '../common/errors.js';
import type { Config } from '../config/config.js';

/** `/metrics` and health on a port of their own, which a proxy in front of the service does not pass on. */
export class OperationsServer {
  readonly server: Server;
  private readonly connections = new WeakSet<Socket>();

  /** @param serve what answers on the other port as well */
  constructor(serve: RequestListener) {
    this.server = createServer(serve).on('connection', (socket) => this.connections.add(socket));
  }

  /** An Express middleware that keeps the two ports apart: health is on both, metrics here, the rest there. */
  readonly keepApart = (request: Request, _response: Response, next: NextFunction): void => {
    const isHere = this.connections.has(request.socket);
    const isMetrics = /^\/metrics\/?$/i.test(request.path);
    const isHealth = /^\/health\//i.test(request.path);
    if (isHealth || isMetrics === isHere) return next();
    next(new ApiError('NOT_FOUND', `There is nothing at ${request.path} on this port.`));
  };

  /**
   * @returns the URL where it answers
   * @throws as Node does, with the name of the variable that is at fault
   */
  async listen({ METRICS_PORT, METRICS_HOST, HOST }: Config): Promise<string> {
    const host = METRICS_HOST ?? HOST;
    try {
      await once(this.server.listen(METRICS_PORT, host), 'listening');
    } catch (error) {
      throw Object.assign(error as Error, { variable: 'METRICS_PORT' });
    }
    return urlOf(this.server, host);
  }
}

/** Where a server answers, such as http://127.0.0.1:3000. */
export function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
}

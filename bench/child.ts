/**
 * For the scripts that the benchmark runs in processes of their own. Each tells its parent over the IPC channel that it
 * is ready, and ends when the parent does, whatever ended it.
 */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export function tellParent(message: object): void {
  process.send?.(message);
}

process.on('disconnect', () => process.exit());

/** Listens on a free port and tells the parent where. */
export function serve(listener: RequestListener): void {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  server.listen(0, '127.0.0.1', () => {
    tellParent({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
}

/** Calls `use` with the parsed body. */
export function readJson(request: IncomingMessage, use: (body: unknown) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => use(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
}

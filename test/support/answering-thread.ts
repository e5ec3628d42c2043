import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Begins an answer when it is asked, and ends it when it is let. */
const SERVER = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const { answer } = workerData;
  const isLet = new Int32Array(workerData.isLet);
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url.includes('begin')) response.write(answer.slice(0, 1));
      setImmediate(() => {
        parentPort.postMessage('asked');
        Atomics.wait(isLet, 0, 0);
        response.end(answer.slice(request.url.includes('begin') ? 1 : 0));
      });
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** A server in a thread of its own: it answers also while this thread stands still. */
export class AnsweringThread {
  private readonly isLet = new Int32Array(new SharedArrayBuffer(4));
  private readonly worker: Worker;

  constructor(answer: object = {}) {
    const workerData = { isLet: this.isLet.buffer, answer: JSON.stringify(answer) };
    this.worker = new Worker(SERVER, { eval: true, workerData });
  }

  /** @returns its address; under `/begin`, an answer begins at once */
  async start(): Promise<string> {
    const [port] = await once(this.worker, 'message');
    return `http://127.0.0.1:${port}`;
  }

  /** Resolves when somebody has asked. */
  async asked(): Promise<void> {
    await once(this.worker, 'message');
  }

  /** Stands still for so many milliseconds, in which the answer comes. */
  standStill(milliseconds: number): void {
    Atomics.store(this.isLet, 0, 1);
    Atomics.notify(this.isLet, 0);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }
}

import type { ServerResponse } from 'node:http';

/** Answers with JSON; by Node's own means, since not every answer comes by Express (http-adapter.ts). */
export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  answer(response, status, Buffer.from(JSON.stringify(body)));
}

/** Answers with JSON that is there already, as text or packed. */
export function answer(response: ServerResponse, status: number, json: Buffer): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', json.length);
  response.end(json);
}

import { randomInt } from 'node:crypto';
import { request } from 'undici';
import { GraphError } from './graph-error.js';

const ANSWER_TIMEOUT = 10_000;

/** Makes a webhook echo a challenge, as the provider does before it uses the address. Otherwise throws code 100. */
export async function verifyWebhook(url: string, verifyToken: string): Promise<void> {
  const challenge = String(randomInt(1_000_000_000));
  const query = { 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': challenge };
  const echo = await ask(url, query).catch(() => undefined);
  if (echo === challenge) return;
  throw new GraphError(
    100,
    'The URL could not be validated: it must answer 200 with the challenge as text.',
    {
      subcode: 2200,
    },
  );
}

async function ask(url: string, query: Record<string, string>): Promise<string | undefined> {
  const timeouts = { headersTimeout: ANSWER_TIMEOUT, bodyTimeout: ANSWER_TIMEOUT };
  // `reset`: the connection is used once, so none stays open after a stop.
  const answer = await request(url, { query, reset: true, ...timeouts });
  const text = await answer.body.text();
  return answer.statusCode === 200 ? text : undefined;
}

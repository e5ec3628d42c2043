import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { Push } from './pushed-events.js';
import { SandboxFixture } from './spec-support.js';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;

describe('The receiver of pushed events', () => {
  const fixture = new SandboxFixture();
  beforeAll(() => fixture.start());
  afterAll(() => fixture.stop());

  const body = JSON.stringify({ events: [{ type: 'message.read', data: { phone: '<b>' } }] });

  function push(id: string, secret: string, said = body, at = new Date()) {
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    };
    return fixture.call('POST', '/events', said, headers);
  }
  const shown = async () => {
    const { body: answer } = await fixture.call('GET', '/events.json');
    return answer['pushes'] as unknown as Push[];
  };
  const page = async () => (await fixture.call('GET', '/events')).body as unknown as string;
  const set = (path: string, fields: object) => fixture.call('POST', `/control/events${path}`, fields);

  it('refuses everything before it knows a secret', async () => {
    expect((await push('msg_0', SECRET)).status).toBe(401);
    expect(await shown()).toMatchObject([{ answer: 'refused', fault: 'No secret is known here.' }]);
    expect((await set('/secret', { secret: 'whsec_short' })).status).toBe(400);
    expect((await set('/secret', { secret: SECRET })).status).toBe(200);
  });

  it('takes what is signed by a known secret, and refuses what is not', async () => {
    expect((await push('msg_1', SECRET)).status).toBe(200);
    expect((await push('msg_2', OTHER)).status).toBe(401);
    expect((await push('msg_3', SECRET, body.replace('read', 'sent'))).status).toBe(401);
    expect((await push('msg_4', SECRET, body, new Date(Date.now() - 600_000))).status).toBe(401);
    expect((await fixture.call('POST', '/events', body)).status).toBe(401);
    expect((await shown()).map(({ answer }) => answer).slice(0, 5)).toEqual([
      'refused',
      'refused',
      'refused',
      'refused',
      'ok',
    ]);
  });

  it('answers 500 or never, as it is told, and counts the tries of a request', async () => {
    await set('', { answer: 'error_500' });
    expect((await push('msg_5', SECRET)).status).toBe(500);
    await set('', { answer: 'hang' });
    const [id, at] = ['msg_5', new Date()];
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign(id, at, body),
    };
    const hanging = fetch(`${fixture.url}/events`, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(300),
    });
    await expect(hanging).rejects.toThrow('timeout');
    await set('', { answer: 'ok' });
    expect((await push('msg_5', SECRET)).status).toBe(200);
    const tries = (await shown()).map((one) => [one.webhook_id, one.tries, one.answer]);
    expect(tries.slice(0, 3)).toEqual([
      ['msg_5', 3, 'ok'],
      ['msg_5', 2, 'hang'],
      ['msg_5', 1, 'error_500'],
    ]);
    expect((await set('', { answer: 'perhaps' })).status).toBe(400);
  });

  it('shows what came, escaped, and says that it makes no endpoint where it runs by itself', async () => {
    const html = await page();
    expect(html).toContain('message.read');
    expect(html).toContain('&lt;b&gt;');
    expect(html).not.toContain('<b>');
    expect(html).not.toContain('Push the demo tenant');
    const { status, body: refused } = await set('/endpoint', {});
    expect([status, JSON.stringify(refused)]).toEqual([400, expect.stringContaining('runs by itself')]);
  });

  it('shows the last 200 requests', async () => {
    for (let count = 0; count < 201; count += 1) await push(`msg_many_${count}`, SECRET);
    const pushes = await shown();
    expect(pushes).toHaveLength(200);
    expect(pushes.at(-1)?.webhook_id).toBe('msg_many_1');
  });
});

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SandboxProvider } from './sandbox-provider.js';
import {
  APP,
  NUMBER,
  SandboxFixture,
  TOKEN,
  VERIFY_TOKEN,
  WABA,
  WebhookReceiver,
  draft,
  eventually,
  sendRequest,
  template,
} from './spec-support.js';

describe('The sandbox', () => {
  let folder: string;
  let running: SandboxFixture[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  });
  afterEach(async () => {
    await Promise.all(running.map((fixture) => fixture.stop()));
    running = [];
    await rm(folder, { recursive: true });
  });

  async function started(options = {}): Promise<SandboxFixture> {
    const fixture = new SandboxFixture(options);
    running.push(fixture);
    return fixture.start();
  }

  it('shows its account and its numbers', async () => {
    const fixture = await started();
    const number = {
      id: NUMBER,
      display_phone_number: '+1 555 010 0001',
      verified_name: 'Sandbox Shop',
      quality_rating: 'GREEN',
      throughput: { level: 'STANDARD' },
    };
    await expect(fixture.graph('GET', NUMBER)).resolves.toMatchObject({ body: number });
    await expect(fixture.graph('GET', `${WABA}/phone_numbers`)).resolves.toMatchObject({
      body: { data: [number] },
    });
    await expect(fixture.graph('GET', WABA)).resolves.toMatchObject({
      body: { id: WABA, name: 'Sandbox Shop' },
    });
    const { body } = await fixture.graph('GET', `${NUMBER}?fields=verified_name`);
    expect(body).toEqual({ id: NUMBER, verified_name: 'Sandbox Shop' });
    const fields = 'status,health_status';
    const asked = await fixture.graph('GET', `${NUMBER}?fields=${fields}`);
    expect(asked.body).toEqual({ id: NUMBER, status: 'CONNECTED' });
    const numbers = await fixture.graph('GET', `${WABA}/phone_numbers?fields=${fields}`);
    expect(numbers.body).toEqual({
      data: [{ id: NUMBER, status: 'CONNECTED' }],
      paging: { cursors: { before: expect.any(String), after: expect.any(String) } },
    });
    await expect(fixture.graph('GET', `${NUMBER}?fields=wishes`)).resolves.toMatchObject({
      status: 400,
      body: { error: { code: 100 } },
    });
  });

  it('accepts a path without a version, and the token in the query', async () => {
    const fixture = await started();
    const byQuery = await fetch(`${fixture.url}/${NUMBER}?access_token=${TOKEN}`);
    await expect(byQuery.json()).resolves.toMatchObject({ id: NUMBER });
    const wrong = await fetch(`${fixture.url}/v25.0/${NUMBER}?access_token=wrong`);
    expect(wrong.status).toBe(401);
    const list = await fixture.call('GET', `/${WABA}/message_templates?limit=1`);
    expect(list.body).toMatchObject({ data: [{ name: 'order_update' }] });
  });

  it('tells how much of its call limits is used up', async () => {
    const fixture = await started();
    const used = async () => {
      const { headers } = await fixture.graph('GET', `${WABA}/message_templates`);
      const header = JSON.parse(headers.get('x-business-use-case-usage') ?? '') as Record<string, unknown>;
      const app = JSON.parse(headers.get('x-app-usage') ?? '') as { call_count: number };
      return { account: header[WABA], app };
    };
    const rest = { total_cputime: 0, total_time: 0 };
    const account = { type: 'whatsapp', call_count: 0, ...rest, estimated_time_to_regain_access: 0 };
    await expect(used()).resolves.toEqual({ account: [account], app: { call_count: 0, ...rest } });
    const { headers } = await fixture.send('+14155550199');
    expect(JSON.parse(headers.get('x-app-usage') ?? '')).toEqual({ call_count: 0, ...rest });
  });

  it('keeps the profile of a number', async () => {
    const fixture = await started();
    const path = `${NUMBER}/whatsapp_business_profile`;
    const profile = { about: 'We are open.', vertical: 'RETAIL', websites: ['https://shop.example'] };
    const changed = await fixture.graph('POST', path, { messaging_product: 'whatsapp', ...profile });
    expect(changed.body).toEqual({ success: true });
    const { body } = await fixture.graph('GET', `${path}?fields=about,vertical,email`);
    expect(body).toEqual({
      data: [{ messaging_product: 'whatsapp', about: 'We are open.', vertical: 'RETAIL' }],
    });
    await expect(fixture.graph('POST', path, profile)).resolves.toMatchObject({ status: 400 });
  });

  it('sends webhooks only while an app is subscribed', async () => {
    const fixture = await started();
    const path = `${WABA}/subscribed_apps`;
    const apps = async () => (await fixture.graph('GET', path)).body;
    await expect(apps()).resolves.toMatchObject({ data: [{ whatsapp_business_api_data: { id: APP } }] });
    await expect(fixture.graph('DELETE', path)).resolves.toMatchObject({ body: { success: true } });
    await expect(apps()).resolves.toEqual({ data: [] });
    fixture.sandbox.control.setTemplateStatus('order_update', 'FLAGGED');
    await expect(fixture.graph('POST', path)).resolves.toMatchObject({ body: { success: true } });
    fixture.sandbox.control.setTemplateStatus('order_update', 'REINSTATED');
    await eventually(() => fixture.receiver.received.length > 0);
    const events = fixture.receiver.values('message_template_status_update').map(({ event }) => event);
    expect(events).toEqual(['REINSTATED']);
  });

  it('sends webhooks to another address when the subscription names one that echoes the challenge', async () => {
    const fixture = await started();
    const other = await new WebhookReceiver().start();
    const subscribe = (verify_token: string) =>
      fixture.graph('POST', `${WABA}/subscribed_apps`, { override_callback_uri: other.url, verify_token });
    await expect(subscribe('wrong')).resolves.toMatchObject({ status: 400, body: { error: { code: 100 } } });
    await expect(subscribe(VERIFY_TOKEN)).resolves.toMatchObject({ body: { success: true } });
    fixture.sandbox.control.setTemplateStatus('order_update', 'FLAGGED');
    await eventually(() => other.received.length === 1);
    expect(fixture.receiver.received).toEqual([]);
    await other.stop();
  });

  it('accepts the notice that a message was read', async () => {
    const fixture = await started();
    const mark = (message_id: string) =>
      fixture.graph('POST', `${NUMBER}/messages`, {
        messaging_product: 'whatsapp',
        status: 'read',
        message_id,
      });
    await expect(mark('wamid.HBgL')).resolves.toMatchObject({ status: 200, body: { success: true } });
    await expect(mark('7')).resolves.toMatchObject({ status: 400, body: { error: { code: 131009 } } });
    expect(fixture.sandbox.messages()).toEqual([]);
  });

  it('says that its port is in use', async () => {
    const { url } = await started();
    const second = new SandboxProvider({ port: Number(new URL(url).port) });
    await expect(second.start()).rejects.toThrow(/port \d+ on 127\.0\.0\.1 is in use/);
    await second.stop();
  });

  it('leaves no handle open when it stops in the middle of its work', async () => {
    const before = handles();
    const fixture = await started({ receiptDelay: 60_000, webhookRetryDelay: 60_000 });
    fixture.receiver.statuses = [500, 500];
    const hanging = fixture.send('+12025550131', 'hanging').catch(() => 'cut off');
    await eventually(() => fixture.sandbox.messages().length === 1);
    fixture.sandbox.control.setTemplateStatus('order_update', 'FLAGGED');
    await eventually(() => fixture.receiver.received.length === 1);
    await fixture.stop();
    running = [];
    await expect(hanging).resolves.toBe('cut off');
    await eventually(() => handles() <= before);
  });

  it('starts again after a stop', async () => {
    const fixture = await started();
    await fixture.sandbox.stop();
    fixture.url = (await fixture.sandbox.start()).url;
    await fixture.send('+14155550199', 'again');
    await expect(eventually(() => fixture.receiver.receiptsOf('again').length === 3)).resolves.toBe(true);
  });

  it('keeps accounts, templates and inbox in its state file, for its owner only', async () => {
    const stateFile = join(folder, 'state', 'sandbox.json');
    const first = await started({ stateFile, reviewDelay: 60_000 });
    await first.send('+14155550199', 'kept');
    await first.graph('POST', `${WABA}/message_templates`, {
      ...template('in_review'),
      status: undefined,
    });
    first.sandbox.control.setTemplateStatus('order_update', 'PAUSED');
    await first.stop();
    expect((await stat(stateFile)).mode & 0o777).toBe(0o600);
    const second = await started({ stateFile });
    expect(second.sandbox.messages()[0]?.biz_opaque_callback_data).toBe('kept');
    expect(second.sandbox.addTemplate(WABA, template('order_update')).status).toBe('PAUSED');
    await eventually(() => second.sandbox.addTemplate(WABA, template('in_review')).status === 'APPROVED');
  });

  it('remembers uploads and deletions after a restart', async () => {
    const stateFile = join(folder, 'sandbox.json');
    const picture = template('picture', {
      components: [
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: 'Look.' },
      ],
    });
    const first = await started({ stateFile });
    first.sandbox.addMedia(WABA, '4711');
    first.sandbox.addTemplate(WABA, picture);
    first.sandbox.addTemplate(WABA, template('gone'));
    await first.graph('DELETE', `${WABA}/message_templates?name=gone`);
    await first.stop();
    const second = await started({ stateFile });
    const header = { type: 'header', parameters: [{ type: 'image', image: { id: '4711' } }] };
    const request = sendRequest({ to: '+14155550199', name: 'picture', components: [header] });
    const sent = await second.graph('POST', `${NUMBER}/messages`, request);
    expect(sent.body.error).toBeUndefined();
    const again = await second.graph('POST', `${WABA}/message_templates`, draft('gone'));
    expect(again.body.error.error_subcode).toBe(2388023);
  });

  it('writes its state while it runs', async () => {
    const stateFile = join(folder, 'sandbox.json');
    const fixture = await started({ stateFile });
    await fixture.send('+14155550199', 'saved');
    const isSaved = async () => (await readFile(stateFile, 'utf8').catch(() => '')).includes('saved');
    await expect(eventually(isSaved)).resolves.toBe(true);
  });

  it('does not overwrite a file that is not its own', async () => {
    const stateFile = join(folder, 'other.json');
    await writeFile(stateFile, '{"mine": true}');
    expect(() => new SandboxProvider({ stateFile })).toThrow(/not a state file/);
  });
});

/** Timers and sockets that keep the process alive; pipes belong to Jest. */
function handles(): number {
  return process.getActiveResourcesInfo().filter((name) => /Timeout|TCP/.test(name)).length;
}

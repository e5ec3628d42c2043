import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SandboxProvider } from './sandbox-provider.js';
import { NUMBER, SandboxFixture, WABA, eventually, template } from './spec-support.js';

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
  });

  it('says clearly that its port is in use', async () => {
    const { url } = await started();
    const second = new SandboxProvider({ port: Number(new URL(url).port) });
    await expect(second.start()).rejects.toThrow(/port \d+ on 127\.0\.0\.1 is in use/);
    await second.stop();
  });

  it('leaves no handle when it stops in the middle of everything', async () => {
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

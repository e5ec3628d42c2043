import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type AlertNews, AlertsService } from '../src/alerts/alerts.service.js';
import { ChatWebhook } from './support/chat-webhook.js';
import { eventually } from './support/eventually.js';
import { MailServer } from './support/mail-server.js';
import { startSecondService, startTestService, type TestService } from './support/service.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let mail: MailServer;
let chat: ChatWebhook;
let service: TestService;
let workers: Awaited<ReturnType<typeof startSecondService>>[] = [];

beforeAll(async () => {
  [mail, chat] = await Promise.all([MailServer.start(), ChatWebhook.start()]);
  service = await startTestService({
    ROLE: 'api',
    ALERT_SMTP_URL: mail.url,
    ALERT_MAIL_FROM: 'Messaging <alerts@example.com>',
    ALERT_MAIL_TO: 'one@example.com, two@example.com',
    ALERT_WEBHOOK_URL: chat.url,
  });
});
afterEach(async () => {
  await stopWorkers();
  // What a test has left is none of the next one's.
  await service.database.run({ name: '', text: 'DELETE FROM alerts' });
  await service.database.run({ name: '', text: 'DELETE FROM alert_channels' });
  Object.assign(mail, { mode: 'takes' }).mails.length = 0;
  Object.assign(chat, { status: 200 }).texts.length = 0;
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
  await chat.stop();
});

const startWorker = async () => {
  const worker = await startSecondService(service, 'worker');
  workers.push(worker);
};
const stopWorkers = async () => {
  await Promise.all(workers.map(({ stop }) => stop()));
  workers = [];
};
/** Returns when both channels know what they have told, with nothing told before. */
const startTelling = async () => {
  await startWorker();
  await eventually(async () => expect(await channels()).toHaveLength(2));
};
const channels = () =>
  service.database.run<{ name: string; failures: number }>({
    name: '',
    text: 'SELECT name, failures FROM alert_channels ORDER BY name',
  });
const failuresOf = async (wanted: string) =>
  (await channels()).find(({ name }) => name === wanted)?.failures ?? 0;

const news = (changes: Partial<AlertNews> = {}): AlertNews => ({
  kind: 'account_alert',
  severity: 'warning',
  tenantId: service.tenantId,
  businessAccountId: null,
  subject: 'something',
  text: 'Something has happened',
  details: {},
  occurredAt: service.clock.now(),
  ...changes,
});
const raise = (changes?: Partial<AlertNews>) =>
  service.app.get(AlertsService, { strict: false }).raise(news(changes));
const end = (subject: string, by = 'webhook') =>
  service.app.get(AlertsService, { strict: false }).end(['account_alert'], subject, by);
/** The mails and texts that tell of this. */
const told = (text: string) => ({
  mails: mail.mails.filter(({ raw }) => raw.includes(text)).length,
  texts: chat.texts.filter((one) => one.includes(text)).length,
});

describe('An alert', () => {
  it('is mailed to all addresses and posted to the webhook, with what to do', async () => {
    await startTelling();
    await raise({ kind: 'token_refused', severity: 'error', text: 'The token of 1234 was refused' });
    await eventually(() => expect(told('The token of 1234')).toEqual({ mails: 1, texts: 1 }));
    const [sent] = mail.mails;
    expect(sent).toMatchObject({ from: 'alerts@example.com', to: ['one@example.com', 'two@example.com'] });
    expect(sent?.raw).toContain('Subject: [error] The provider refuses the access token');
    expect(sent?.raw).toContain('What to do: Enter a new token');
    expect(sent?.raw).toContain('Auto-Submitted: auto-generated');
    expect(chat.texts[0]).toMatch(/^\[error\] The provider refuses the access token\nThe token of 1234/);
  });

  it('is told once, however many workers there are and however often it comes, and again after it has ended', async () => {
    await startTelling();
    await startWorker();
    await raise();
    await eventually(() => expect(told('Something')).toEqual({ mails: 1, texts: 1 }));
    await raise();
    await raise({ subject: 'another', text: 'Another thing' });
    service.clock.forward(2 * MINUTE);
    await eventually(() => expect(told('Another')).toEqual({ mails: 1, texts: 1 }));
    expect(told('Something')).toEqual({ mails: 1, texts: 1 });
    await end('something');
    await raise();
    service.clock.forward(2 * MINUTE);
    await eventually(() => expect(told('Something')).toEqual({ mails: 2, texts: 2 }));
  });

  it('is told together with others that are raised soon after one was told', async () => {
    await startTelling();
    await raise();
    await eventually(() => expect(told('Something')).toEqual({ mails: 1, texts: 1 }));
    for (let i = 0; i < 60; i++) await raise({ subject: `one of many ${i}`, text: `It is number ${i}.` });
    service.clock.forward(2 * MINUTE);
    await eventually(() => expect(told('It is number 49.')).toEqual({ mails: 1, texts: 1 }));
    expect(chat.texts[1]).toContain('10 more will follow.');
    service.clock.forward(2 * MINUTE);
    await eventually(() => expect(told('It is number 59.')).toEqual({ mails: 1, texts: 1 }));
    expect(chat.texts).toHaveLength(3);
    expect(mail.mails[1]?.raw).toContain('Subject: [warning] 60 alerts');
  });

  it('that a graver one has overtaken before it was told is not told', async () => {
    await startTelling();
    await raise();
    await eventually(() => expect(told('Something')).toEqual({ mails: 1, texts: 1 }));
    await raise({ subject: 'half', text: 'Half of it' });
    await end('half', 'overtaken');
    await raise({ subject: 'all', text: 'All of it' });
    await raise({ subject: 'short', text: 'A short one' });
    await end('short');
    service.clock.forward(2 * MINUTE);
    await eventually(() => expect(told('All of it')).toEqual({ mails: 1, texts: 1 }));
    expect(told('A short one')).toEqual({ mails: 1, texts: 1 });
    expect(told('Half of it')).toEqual({ mails: 0, texts: 0 });
  });

  it('that was raised before the channel was first used is not told', async () => {
    await raise({ subject: 'old', text: 'An old one' });
    service.clock.forward(1_000);
    await startTelling();
    await raise();
    await eventually(() => expect(told('Something')).toEqual({ mails: 1, texts: 1 }));
    expect(told('An old one')).toEqual({ mails: 0, texts: 0 });
  });
});

describe('A mail server', () => {
  it('that refuses for a while gets the alert when it takes mails again', async () => {
    mail.mode = 'refuses';
    await startTelling();
    await raise();
    for (const failures of [1, 2, 3]) {
      await eventually(async () => expect(await failuresOf('mail')).toBe(failures));
      service.clock.forward(16 * MINUTE);
    }
    mail.mode = 'takes';
    service.clock.forward(16 * MINUTE);
    await eventually(() => expect(told('Something')).toEqual({ mails: 1, texts: 1 }));
    await eventually(async () => expect(await failuresOf('mail')).toBe(0));
  });

  it('that hangs delays neither the webhook nor messages, and gets the alert later', async () => {
    mail.mode = 'hangs';
    await startTelling();
    await raise();
    await eventually(() => expect(mail.connections).toBe(1));
    await eventually(() => expect(told('Something')).toEqual({ mails: 0, texts: 1 }));
    const { body } = await service.api.send('+12025550100');
    const id = body.data['message_log_id'] as number;
    await eventually(async () => expect(await service.api.message(id)).toMatchObject({ status: 'read' }));
    mail.mode = 'takes';
    mail.cut();
    await eventually(async () => expect(await failuresOf('mail')).toBe(1));
    service.clock.forward(MINUTE);
    await eventually(() => expect(told('Something')).toEqual({ mails: 1, texts: 1 }));
  });

  it('that hangs while the worker is restarted gets the alert from the next worker, once', async () => {
    mail.mode = 'hangs';
    await startTelling();
    await raise();
    await eventually(() => expect(told('Something')).toEqual({ mails: 0, texts: 1 }));
    await eventually(() => expect(mail.connections).toBe(1));
    await stopWorkers();
    expect(mail.connections).toBe(0);
    mail.mode = 'takes';
    await startWorker();
    service.clock.forward(3 * MINUTE);
    await eventually(() => expect(told('Something')).toEqual({ mails: 1, texts: 1 }));
  });

  it('that is out for a day does not get the alert, and the next one', async () => {
    mail.mode = 'refuses';
    await startTelling();
    await raise();
    await eventually(async () => expect(await failuresOf('mail')).toBe(1));
    await eventually(() => expect(told('Something')).toEqual({ mails: 0, texts: 1 }));
    service.clock.forward(25 * HOUR);
    await raise({ subject: 'later', text: 'A later one' });
    mail.mode = 'takes';
    service.clock.forward(16 * MINUTE);
    await eventually(() => expect(told('A later one')).toEqual({ mails: 1, texts: 1 }));
    expect(told('Something')).toEqual({ mails: 0, texts: 1 });
    await stopWorkers();
    await startWorker(); // it gives up what is too old with its first look
    await eventually(async () => {
      const rows = await service.database.run({
        name: '',
        text: `SELECT FROM alert_notices WHERE channel = 'mail' AND told_at IS NULL`,
      });
      expect(rows).toHaveLength(1);
    });
  });
});

it('A webhook that answers with an error is tried again', async () => {
  chat.status = 500;
  await startTelling();
  await raise();
  await eventually(async () => expect(await failuresOf('webhook')).toBe(1));
  chat.status = 200;
  service.clock.forward(MINUTE);
  await eventually(() => expect(told('Something')).toEqual({ mails: 1, texts: 1 }));
});

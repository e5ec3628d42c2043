import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../src/database/database.js';
import { DEMO } from '../src/embedded/demo.js';
import { MessageLogStore, type NewMessage } from '../src/messages/message-log.store.js';
import { SpendLimitsService } from '../src/spending/spend-limits.service.js';
import { InboxService } from '../src/webhooks/inbox.service.js';
import './support/matchers.js';
import { useTestService } from './support/test-service.js';
import { deliver, receipt } from './support/webhooks.js';

const service = useTestService({ ROLE: 'api' });
const database = () => service().app.get(Database, { strict: false });

afterEach(() => {
  jest.restoreAllMocks();
});

/** A promise that others wait for, and the function that resolves it. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** Waits until what was handed in is under way. */
const aTurn = async () => {
  for (let i = 0; i < 3; i += 1) await new Promise(setImmediate);
};

describe('While more waits to be stored than a process may keep', () => {
  it('a send gets a 503 that says when to try again, and nothing is accepted', async () => {
    const { opened, open } = gate();
    const commit = database().commit.bind(database());
    jest.spyOn(database(), 'commit').mockImplementation(async (...statement) => {
      await opened;
      return commit(...statement);
    });
    const store = service().app.get(MessageLogStore, { strict: false });
    const { tenantId } = service();
    // It is remembered, so that what is handed in waits for nothing else.
    await service().app.get(SpendLimitsService, { strict: false }).areSetFor(tenantId);
    // Messages of a template that does not exist, so that they are refused when their turn comes.
    const accept = () =>
      store.accept({ tenant_id: tenantId, template_id: -1 } as NewMessage).catch(() => null);
    const underWay = Array.from({ length: 400 }, accept);
    await aTurn();
    const waiting = Array.from({ length: 10_000 }, accept);

    const answer = await service().api.send('+12025550100');
    expect(answer).toBeError(503, 'SERVICE_UNAVAILABLE');
    expect(answer.body.error.message).toContain('nothing was accepted');
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    open();
    await Promise.all([...underWay, ...waiting]);
    expect((await service().api.get('/api/v1/messages')).body.data).toEqual([]);
    expect((await service().api.send('+12025550100')).status).toBe(202);
  });

  it('a webhook gets a 503, and is accepted when the provider repeats it', async () => {
    const { opened, open } = gate();
    const run = jest.spyOn(database(), 'run').mockImplementation(async () => {
      await opened;
      return [];
    });
    const inbox = service().app.get(InboxService, { strict: false });
    const megabyte = 'x'.repeat(1024 * 1024);
    const put = () => inbox.put(megabyte, false).catch(() => null);
    const underWay = put();
    await aTurn();
    const waiting = Array.from({ length: 65 }, put); // one more than may wait
    const webhook = [DEMO.wabaId, 'messages', receipt({ id: 'wamid.1', status: 'read' })] as const;
    expect(await deliver(service(), [...webhook])).toBeError(503, 'SERVICE_UNAVAILABLE');
    open();
    await Promise.all([underWay, ...waiting]);
    run.mockRestore();
    expect((await deliver(service(), [...webhook])).status).toBe(200);
    // Webhooks do not count as heard for a minute, but they can be stored, which is what readiness shows.
    await inbox.hear();
  });
});

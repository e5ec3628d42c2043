import { afterEach, expect, it } from '@jest/globals';
import { copiesOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { ServiceProcess } from './support/service-process.js';
import { startTestService, type TestService } from './support/service.js';

/** A short lease, so that the test does not wait long for its end. */
const SHORT = { PROVIDER_TIMEOUT: 500, UNKNOWN_OUTCOME_WINDOW: 1 };

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A worker in a process of its own. */
async function startWorker(service: TestService, env: Record<string, string> = {}): Promise<ServiceProcess> {
  const worker = new ServiceProcess(service.config, { ...SHORT, ROLE: 'worker' }, env);
  ends.push(() => worker.kill());
  await worker.untilReady();
  return worker;
}

it('A worker that stood still between claim and call does not send a message that another worker has claimed since', async () => {
  const service = await startTestService({ ...SHORT, ROLE: 'api' });
  ends.push(() => service.stop());
  const send = async () => (await service.api.send('+12025550100')).body.data['message_log_id'] as number;
  const expectRecord = (id: number, expected: object) =>
    eventually(async () => expect(await service.api.message(id)).toMatchObject(expected));
  const copies = (id: number) => copiesOf(service, id);

  const paused = await startWorker(service, { FAIL_POINTS: 'after-claim:1:pause' });
  const claimed = await send();
  await expectRecord(claimed, { status: 'sending', attempts: 1 });

  const other = await startWorker(service);
  await expectRecord(claimed, { status: 'read', attempts: 2 });
  await other.kill();

  paused.resume();
  const next = await send();
  await expectRecord(next, { status: 'read', attempts: 1 }); // by the first worker, after its own messages
  expect(copies(claimed)).toHaveLength(1);
  expect(await service.api.message(claimed)).toMatchObject({ status: 'read', attempts: 2 });
});

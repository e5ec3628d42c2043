import { eventually } from '../../test/support/eventually.js';
import type { Accounts } from '../accounts.js';
import type { Measure } from '../bench.js';
import { createUser, signIn, type User } from '../dashboard-session.js';
import { Deployment } from '../deployment.js';
import { addTenants } from '../filling/tenants.js';
import { load } from '../load.js';
import type { Options } from '../options.js';
import { lossFaults } from '../outcome.js';
import { sends } from '../requests.js';
import { median } from '../statistics.js';

/** Requests for each list of the dashboard, and syncs of templates, one after the other. */
const LOOKS = 40;
const SYNCS = 5;

/** The lists of the dashboard that a person opens. */
const LISTS = ['numbers', 'templates', 'templates/facets', 'overview', 'messages'];

/**
 * What very many tenants change, each with two numbers and ten templates: the start, the memory once every number has sent,
 * accepting and dispatching over all numbers against ten of one tenant, and that tenant's lists and syncs against those in
 * an installation of its own.
 */
export const many =
  (tenants: number): Measure =>
  async (few, options) => {
    const { environment } = few;
    await few.prepare();
    const deployment = await Deployment.create(environment, 'many');
    const all = await addTenants(deployment, tenants);
    environment.say(`${tenants} tenants are made`);
    const alone = await peopleSee(few);
    const beside = await peopleSee(deployment);
    const sent = await dispatch(deployment, all, options);
    const accepting = await compareAccept(deployment, all, options);
    const ratios = {
      lists: alone.lists / beside.lists,
      sync: alone.sync / beside.sync,
      dispatch: sent.all / sent.one,
      accept: accepting.all / accepting.one,
    };
    return {
      figures: {
        ...ratios,
        startFew: alone.start,
        start: beside.start,
        listsFew: alone.lists,
        listsMany: beside.lists,
        syncFew: alone.sync,
        syncMany: beside.sync,
        dispatchTen: sent.one,
        dispatchAll: sent.all,
        acceptFirst: sent.first,
        acceptTen: accepting.one,
        acceptAll: accepting.all,
        apiMb: Math.max(sent.apiMb, accepting.apiMb),
        workerMb: sent.workerMb,
      },
      usage: accepting.usage,
      faults: [...sent.faults, ...accepting.faults],
    };
  };

/** Milliseconds: of the start of both roles, and in the median of a list of the dashboard and of a sync of templates. */
async function peopleSee(deployment: Deployment): Promise<{ start: number; lists: number; sync: number }> {
  const user = await createUser(deployment);
  const begun = performance.now();
  return deployment.running({ api: 1, worker: 1 }, async (service) => {
    const start = performance.now() - begun;
    return { start, ...(await look(service['api']?.url ?? '', user)) };
  });
}

async function look(url: string, user: User): Promise<{ lists: number; sync: number }> {
  const api = await signIn(url, user);
  const lists: number[] = [];
  for (let i = 0; i < LOOKS; i += 1)
    for (const list of LISTS) lists.push(await timed(() => api.get(`/dashboard/api/${list}`)));
  const { body } = await api.get('/dashboard/api/templates/facets');
  const [account] = body.data['business_accounts'] as { business_account_id: string }[];
  const syncs: number[] = [];
  for (let i = 0; i < SYNCS; i += 1)
    syncs.push(
      await timed(() =>
        api.post('/dashboard/api/templates/sync', { business_account_id: account?.business_account_id }),
      ),
    );
  return { lists: median(lists), sync: median(syncs) };
}

/** Milliseconds of a request of the dashboard. */
async function timed(request: () => Promise<{ status: number; text: string }>): Promise<number> {
  const start = performance.now();
  const { status, text } = await request();
  if (status !== 200) throw new Error(`The dashboard was answered with ${status}: ${text}`);
  return performance.now() - start;
}

/** One message of each number is accepted, then sent; and as many of the ten numbers of one tenant. */
async function dispatch(deployment: Deployment, all: Accounts[], { connections }: Options) {
  const { environment } = deployment;
  const count = all.reduce((sum, { messagingAccountIds }) => sum + messagingAccountIds.length, 0);
  await environment.provider.reset();
  const next = sendsOf(all);
  let left = count;
  const [accepted, apiMb] = await deployment.running({ api: 1 }, async (service) => {
    const meter = environment.meter(service);
    meter.start();
    const result = await load({
      urls: [service['api']?.url ?? ''],
      connections,
      seconds: PATIENCE / 1000,
      expected: 202,
      next: () => (left-- > 0 ? next() : null),
    });
    return [result, (await meter.stop()).peakMb['api'] ?? 0];
  });
  const ofAll = await empty(deployment, count);
  await environment.provider.reset();
  await deployment.fillBacklog(count);
  const ofTen = await empty(deployment, count);
  return {
    first: accepted.answers / accepted.seconds,
    all: ofAll.rate,
    one: ofTen.rate,
    apiMb,
    workerMb: Math.max(ofAll.workerMb, ofTen.workerMb),
    faults: [...accepted.faults, ...ofAll.faults, ...ofTen.faults],
  };
}

/** Milliseconds for anything to end. */
const PATIENCE = 600_000;

/** A worker sends what is due. @returns messages a second, from the first one to the last one's answer on record */
async function empty(deployment: Deployment, count: number) {
  const { environment } = deployment;
  return deployment.running({ worker: 1 }, async (service) => {
    const meter = environment.meter(service);
    meter.start();
    await eventually(() => nothingWaits(deployment), { patience: PATIENCE, interval: 50 });
    const end = performance.timeOrigin + performance.now();
    const { peakMb } = await meter.stop();
    const { at, repeated } = await environment.provider.takings();
    const first = Math.min(...at.values());
    return {
      rate: (count * 1000) / (end - first),
      workerMb: peakMb['worker'] ?? 0,
      faults: lossFaults(count, { distinct: at.size, repeated }),
    };
  });
}

async function nothingWaits({ database }: Deployment): Promise<void> {
  const { rows } = await database.query('SELECT FROM outbox LIMIT 1');
  if (rows.length > 0) throw new Error('Messages wait');
}

/** Accepting over all numbers, and over ten of one tenant, in turns in one process. */
async function compareAccept(
  deployment: Deployment,
  all: Accounts[],
  { seconds, warmUp, connections }: Options,
) {
  const { environment } = deployment;
  return deployment.running({ api: 1 }, async (service) => {
    const common = { urls: [service['api']?.url ?? ''], connections, expected: 202 };
    const ways = { one: sends(deployment.accounts), all: sendsOf(all) };
    const answers = { one: 0, all: 0 };
    const times = { one: 0, all: 0 };
    const faults: string[] = [];
    // Each number is known to the process before.
    let left = all.length * 2;
    const know = () => (left-- > 0 ? ways.all() : null);
    faults.push(...(await load({ ...common, next: know, seconds: PATIENCE / 1000 })).faults);
    faults.push(...(await load({ ...common, next: ways.one, seconds: warmUp })).faults);
    const meter = environment.meter(service);
    meter.start();
    for (const way of ['one', 'all', 'all', 'one'] as const) {
      const result = await load({ ...common, next: ways[way], seconds: seconds / 2 });
      answers[way] += result.answers;
      times[way] += result.seconds;
      faults.push(...result.faults);
    }
    const usage = await meter.stop();
    return {
      one: answers.one / times.one,
      all: answers.all / times.all,
      apiMb: usage.peakMb['api'] ?? 0,
      usage,
      faults,
    };
  });
}

/** Sends of many tenants, in turns. */
function sendsOf(all: Accounts[]): () => string {
  const nexts = all.map((accounts) => sends(accounts));
  let turn = 0;
  return () => (nexts[(turn += 1) % nexts.length] as () => string)();
}

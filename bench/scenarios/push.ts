import { eventually } from '../../test/support/eventually.js';
import type { Measure } from '../bench.js';
import type { Deployment } from '../deployment.js';
import { Endpoint } from '../endpoint/endpoint.js';
import { percentile } from '../statistics.js';
import { traffic } from '../traffic.js';

/** Messages a second. Each is accepted, sent and delivered: three events. */
const PER_SECOND = 1_000;

/** Receipts in a payload. */
const PAYLOAD = 20;

const CONNECTIONS = 32;

/** Milliseconds for the last events to come. */
const PATIENCE = 120_000;

/**
 * How long events of 1,000 messages a second take, from their record until the tenant's endpoint has them: alone, and while
 * another endpoint of the tenant hangs.
 */
export const push: Measure = async (deployment, { seconds, warmUp }) => {
  await deployment.prepare();
  const { environment } = deployment;
  const endpoint = await Endpoint.start(environment);
  try {
    return await deployment.running({ api: 1, worker: 1 }, async (service) => {
      const url = service['api']?.url ?? '';
      const faults: string[] = [];
      const run = async (length: number) => {
        const figures = await pushed(deployment, endpoint, url, length);
        faults.push(...figures.faults);
        return figures;
      };
      const endpoints = [await add(deployment, url, `${endpoint.process.url}/`)];
      await run(warmUp);
      const meter = environment.meter({ ...service, endpoint: endpoint.process });
      meter.start();
      const alone = await run(seconds);
      const usage = await meter.stop();
      endpoints.push(await add(deployment, url, `${endpoint.process.url}/hang`));
      const beside = await run(seconds);
      for (const id of endpoints) await request(deployment, url, 'DELETE', `/${id}`);
      return {
        figures: {
          messages: alone.messages,
          rate: alone.rate,
          p50: alone.p50,
          p99: alone.p99,
          besideRate: beside.rate,
          besideP50: beside.p50,
          besideP99: beside.p99,
        },
        usage,
        faults,
      };
    });
  } finally {
    await endpoint.process.stop();
  }
};

/** Sends messages for so long, and waits until all their events have come. */
async function pushed(deployment: Deployment, endpoint: Endpoint, url: string, seconds: number) {
  await deployment.environment.provider.reset();
  await endpoint.reset();
  const start = Date.now();
  const options = { url, connections: CONNECTIONS, seconds, perSecond: PER_SECOND, payload: PAYLOAD };
  const { sent, received, receipts } = await traffic(deployment, options);
  const expected = {
    'message.accepted': sent.answers,
    'message.sent': sent.answers,
    'message.delivered': receipts,
  };
  const faults = [...sent.faults, ...received.faults];
  const check = async () => {
    const { events } = await endpoint.takings();
    for (const [type, count] of Object.entries(expected))
      if ((events[type] ?? 0) < count)
        throw new Error(`${count} of ${type} happened, ${events[type]} were pushed`);
  };
  await eventually(check, { patience: PATIENCE, interval: 200 }).catch((error: Error) =>
    faults.push(error.message),
  );
  const { events, repeated, delays, last } = await endpoint.takings();
  for (const [type, count] of Object.entries(expected))
    if ((events[type] ?? 0) > count) faults.push(`${count} of ${type} happened, ${events[type]} were pushed`);
  if (repeated > 0) faults.push(`${repeated} events came again`);
  return {
    messages: sent.answers / sent.seconds,
    rate: (delays.length * 1000) / (last - start),
    p50: percentile(delays, 50),
    p99: percentile(delays, 99),
    faults,
  };
}

/** Makes an endpoint for events of messages. @returns its id */
async function add(deployment: Deployment, url: string, address: string): Promise<string> {
  const body = {
    url: address,
    types: ['message.accepted', 'message.sent', 'message.delivered'],
  };
  const { data } = (await request(deployment, url, 'POST', '', body)) as {
    data: { webhook_endpoint_id: string };
  };
  return data.webhook_endpoint_id;
}

async function request(
  { accounts: { apiKey } }: Deployment,
  url: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${url}/api/v1/webhook-endpoints${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} of an endpoint was answered with ${response.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}

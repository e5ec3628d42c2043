import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MessageTagsService } from '../src/messages/message-tags.service.js';
import { traceIdsOf } from '../src/messages/traces/message-trace.js';
import { exampleNumber, RECIPIENTS } from '../src/sandbox/recipients.js';
import { attributesOf, type CollectedSpan, TestCollector } from './support/collector.js';
import { eventually } from './support/eventually.js';
import { startSecondService, startTestService, type TestService } from './support/service.js';

const numberOf = (name: string) => exampleNumber(RECIPIENTS.find((each) => each.name === name)!);

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('A service with a collector', () => {
  let collector: TestCollector;
  let api: TestService;
  let worker: Awaited<ReturnType<typeof startSecondService>>;

  beforeAll(async () => {
    collector = await TestCollector.start();
    api = await startTestService({
      ROLE: 'api',
      RETRY_BASE: 20,
      RETRY_CAP: 50,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=one%20key,x-other=b=c',
    });
    worker = await startSecondService(api, 'worker');
  });
  afterAll(async () => {
    await worker.stop();
    await api.stop();
    await collector.stop();
  });

  async function send(phone: string, headers: Record<string, string> = {}): Promise<number> {
    const answer = await api.api.send(phone, {}, headers);
    expect(answer.status).toBe(202);
    return answer.body.data['message_log_id'];
  }

  /** The spans of a message in the order of their starts, as soon as there are those of these names. */
  const spansOf = (id: number, names: string[]) =>
    eventually(() => {
      const spans = collector.spans.filter((span) => attributesOf(span)['tms.message_log_id'] === id);
      expect(spans.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
      return spans.toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)));
    });

  const find = (spans: CollectedSpan[], name: string) => spans.find((span) => span.name === name)!;
  const start = (span: CollectedSpan) => BigInt(span.startTimeUnixNano);
  const end = (span: CollectedSpan) => BigInt(span.endTimeUnixNano);

  it('tells of a message in one trace, from its acceptance in one process to its receipts in another', async () => {
    const id = await send('+12025550100', { traceparent: TRACEPARENT });
    const spans = await spansOf(id, ['accept', 'wait', 'call', 'receipt', 'receipt', 'receipt']);
    const ids = traceIdsOf(await api.app.get(MessageTagsService, { strict: false }).installationId(), id);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([ids.traceId]));
    const [accept, wait, call] = ['accept', 'wait', 'call'].map((name) => find(spans, name));
    expect(accept).toMatchObject({ spanId: ids.rootId, kind: 2 });
    expect(accept!.parentSpanId ?? '').toBe('');
    const others = spans.filter((span) => span !== accept);
    expect(new Set(others.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([ids.rootId]));
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    expect(accept!.links).toEqual([
      expect.objectContaining({
        traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
        spanId: '00f067aa0ba902b7',
      }),
    ]);
    expect(start(accept!)).toBeLessThanOrEqual(end(accept!));
    expect(start(accept!)).toBeLessThanOrEqual(start(wait!));
    expect(end(wait!)).toBe(start(call!));
    expect(start(call!)).toBeLessThanOrEqual(end(call!));
    for (const receipt of spans.filter(({ name }) => name === 'receipt'))
      expect(end(receipt)).toBeGreaterThanOrEqual(end(call!));
  });

  it('says who, which template and what came of it', async () => {
    const id = await send('+12025550100');
    const spans = await spansOf(id, ['accept', 'wait', 'call', 'receipt', 'receipt', 'receipt']);
    const about = { 'tms.message_log_id': id, 'tms.tenant_id': api.tenantId, 'tms.number_id': 1 };
    for (const span of spans) expect(attributesOf(span)).toMatchObject(about);
    expect(attributesOf(find(spans, 'accept'))).toMatchObject({ 'tms.template': 'order_update' });
    expect(attributesOf(find(spans, 'call'))).toMatchObject({
      'tms.template': 'order_update',
      'tms.attempt': 1,
      'tms.outcome': 'accepted',
      'http.response.status_code': 200,
    });
    const statuses = spans.flatMap((span) => attributesOf(span)['tms.receipt_status'] ?? []);
    expect(statuses.toSorted()).toEqual(['delivered', 'read', 'sent']);
  });

  it('has a wait and a call for each try, and marks what failed', async () => {
    const id = await send(numberOf('transient'));
    await eventually(async () => expect((await api.api.message(id))['status']).toBe('read'));
    const spans = await eventually(() => {
      const own = collector.spans.filter((span) => attributesOf(span)['tms.message_log_id'] === id);
      const calls = own.filter(({ name }) => name === 'call');
      const tries = calls.map((call) => attributesOf(call)['tms.attempt'] as number).toSorted();
      expect(tries.length).toBeGreaterThan(1);
      expect(own.filter(({ name }) => name === 'wait')).toHaveLength(tries.length);
      expect(tries).toEqual(tries.map((_, index) => index + 1));
      return own;
    });
    const first = spans.find((span) => span.name === 'call' && attributesOf(span)['tms.attempt'] === 1)!;
    expect(first.status).toEqual({ code: 2, message: 'transient' });
    expect(attributesOf(first)).toMatchObject({ 'tms.outcome': 'transient' });
  });

  it('sends the headers that are set, and never a phone number, a text, a token or an API key', async () => {
    const id = await send(numberOf('undeliverable'));
    await spansOf(id, ['accept', 'wait', 'call']);
    expect(collector.headers.at(-1)).toMatchObject({ 'x-key': 'one key', 'x-other': 'b=c' });
    const all = collector.bodies.join('\n');
    for (const secret of ['1202555', numberOf('undeliverable').replaceAll(/\D/g, ''), 'Amal', 'A-1001'])
      expect(all).not.toContain(secret);
    expect(all).not.toContain(api.api.key);
    expect(all).not.toMatch(/authorization|access_token/i);
  });
});

describe('A service that traces some of its messages', () => {
  it('chooses by the message, so that a trace is whole or not there', async () => {
    const collector = await TestCollector.start();
    const service = await startTestService({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: 0.5,
    });
    const ids: number[] = [];
    for (let i = 0; i < 40; i += 1)
      ids.push((await service.api.send('+12025550100')).body.data['message_log_id']);
    for (const id of ids)
      await eventually(async () => expect((await service.api.message(id))['status']).toBe('read'));
    await service.stop();
    const traced = new Map<unknown, Set<string>>();
    for (const span of collector.spans) {
      const id = attributesOf(span)['tms.message_log_id'];
      traced.set(id, (traced.get(id) ?? new Set()).add(span.name));
    }
    expect(traced.size).toBeGreaterThan(0);
    expect(traced.size).toBeLessThan(ids.length);
    for (const names of traced.values())
      expect([...names].toSorted()).toEqual(['accept', 'call', 'receipt', 'wait']);
    await collector.stop();
  });
});

describe.each([
  [
    'is gone',
    async () => ({ url: 'http://127.0.0.1:1', stop: async (): Promise<void> => undefined, bodies: ['none'] }),
  ],
  ['takes requests and never answers', () => TestCollector.start({ answers: false })],
])('A collector that %s', (_what, startCollector) => {
  it('harms no message, and the service stops in its time', async () => {
    const collector = await startCollector();
    const service = await startTestService({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      SHUTDOWN_GRACE: 20,
    });
    const id = (await service.api.send('+12025550100')).body.data['message_log_id'];
    await eventually(async () => expect((await service.api.message(id))['status']).toBe('read'));
    await eventually(() => expect(collector.bodies).not.toEqual([]));
    const stopping = performance.now();
    await service.stop();
    expect(performance.now() - stopping).toBeLessThan(20_000);
    await collector.stop();
  });
});

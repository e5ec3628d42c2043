import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { within } from '../../common/within.js';
import { type MessageSpan, readTraceparent, type TraceIds } from './message-trace.js';

/** Spans that wait to be sent: more are left out. Those of one request; milliseconds between two, and for each. */
const MOST_WAITING = 10_000;
const BATCH = 512;
const EVERY = 1_000;
const PATIENCE = 5_000;

/** Requests that are under way to the collector at most. */
const AT_ONCE = 2;

const KINDS = {
  accept: SpanKind.SERVER,
  wait: SpanKind.INTERNAL,
  call: SpanKind.CLIENT,
  receipt: SpanKind.CONSUMER,
} satisfies Record<MessageSpan['name'], SpanKind>;

export interface CollectorOptions {
  /** Such as http://localhost:4318. */
  endpoint: string;
  /** `name=value` pairs with commas between them, as in a header of W3C's Baggage. */
  headers: string | undefined;
  service: string;
  /** The part of the messages that are traced, from 0 to 1. */
  ratio: number;
  /** Told of each request that failed. */
  onFault: (error: Error) => void;
}

/** Sends spans to a collector, in the background. The only file that knows OpenTelemetry: loaded where there is a collector. */
export class Collector {
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;
  private readonly random = new RandomIdGenerator();
  /** Of the span that is about to begin: the tracer asks for them as it begins one. */
  private next: { traceId: string; spanId: string } = { traceId: '', spanId: '' };

  constructor({ endpoint, headers, service, ratio, onFault }: CollectorOptions) {
    const exporter = new OTLPTraceExporter({
      url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
      headers: readHeaders(headers),
      timeoutMillis: PATIENCE,
      concurrencyLimit: AT_ONCE,
    });
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': service }),
      sampler: new TraceIdRatioBasedSampler(ratio),
      idGenerator: { generateTraceId: () => this.next.traceId, generateSpanId: () => this.next.spanId },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: telling(exporter, onFault),
          maxQueueSize: MOST_WAITING,
          maxExportBatchSize: BATCH,
          scheduledDelayMillis: EVERY,
          exportTimeoutMillis: PATIENCE,
        }),
      ],
    });
    this.tracer = this.provider.getTracer('template-messaging-service');
  }

  /** Notes a span, to be sent later. */
  add({ traceId, rootId }: TraceIds, { name, start, end, attributes, fault, cause }: MessageSpan): void {
    const isRoot = name === 'accept';
    this.next = { traceId, spanId: isRoot ? rootId : this.random.generateSpanId() };
    const root = { traceId, spanId: rootId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
    const parent = isRoot ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, root);
    const link = readTraceparent(cause);
    const links = link ? [{ context: { ...link, traceFlags: TraceFlags.NONE, isRemote: true } }] : [];
    const options = { kind: KINDS[name], startTime: start, attributes, links };
    const span = this.tracer.startSpan(name, options, parent);
    if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: fault });
    span.end(end);
  }

  /** Sends what is left, for some milliseconds at most. Never rejects. */
  async close(milliseconds: number): Promise<void> {
    await within(milliseconds, this.provider.shutdown(), tooLate).catch(() => undefined);
  }
}

function tooLate(): Error {
  return new Error('the collector does not take them in time');
}

/** The same exporter, which tells of its faults: OpenTelemetry itself says nothing of them. */
function telling(exporter: SpanExporter, onFault: (error: Error) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error) onFault(result.error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

function readHeaders(text = ''): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.includes('='));
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name.trim(), decodeURIComponent(value.join('=').trim())];
    }),
  );
}

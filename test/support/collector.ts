import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number | string } }[];
  links?: { traceId: string; spanId: string }[];
  status: { code?: number; message?: string };
}

interface TraceRequest {
  resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[];
}

/** A collector of traces: takes OTLP over HTTP with JSON, as OpenTelemetry specifies it. */
export class TestCollector {
  readonly spans: CollectedSpan[] = [];
  /** The requests as they came. */
  readonly bodies: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];

  /** @param answers whether requests are answered at all */
  private constructor(private readonly answers: boolean) {}

  private readonly server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
    this.bodies.push(body);
    this.headers.push(request.headers);
    if (!this.answers) return;
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    for (const { scopeSpans } of (JSON.parse(body) as TraceRequest).resourceSpans)
      for (const { spans } of scopeSpans) this.spans.push(...spans);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });

  static async start({ answers = true } = {}): Promise<TestCollector> {
    const collector = new TestCollector(answers);
    await once(collector.server.listen(0, '127.0.0.1'), 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** The attributes of a span as an object; numbers as numbers. */
export function attributesOf({ attributes }: CollectedSpan): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}

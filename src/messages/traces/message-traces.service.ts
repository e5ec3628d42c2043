import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/config.js';
import type { JudgedMessage } from '../judged-message.js';
import { MessageTagsService } from '../message-tags.service.js';
import { type MessageSpan, traceIdsOf } from './message-trace.js';
import type { Collector } from './opentelemetry.js';

/** Part of SHUTDOWN_GRACE for spans that are not sent yet. */
const GRACE_SHARE = 0.1;

/** Milliseconds in which faults of the collector are logged once. */
const SAID = 10 * 60_000;

/**
 * Traces of messages, for those who have a collector (OTEL_EXPORTER_OTLP_ENDPOINT). Without one nothing of OpenTelemetry is
 * loaded. What cannot be sent is left out: no message waits for its trace.
 */
@Injectable()
export class MessageTraces implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(MessageTraces.name);
  private collector: Collector | undefined;
  private installation = '';
  private saidAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly config: Config,
    private readonly tags: MessageTagsService,
  ) {}

  async onModuleInit(): Promise<void> {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ROLE } = this.config;
    if (endpoint === undefined) return;
    this.installation = await this.tags.installationId();
    const { Collector } = await import('./opentelemetry.js');
    this.collector = new Collector({
      endpoint,
      headers: this.config.OTEL_EXPORTER_OTLP_HEADERS,
      service: this.config.OTEL_SERVICE_NAME,
      ratio: this.config.OTEL_TRACES_SAMPLER_ARG,
      onFault: (error) => this.say(error),
    });
    this.logger.log(`Traces of messages go to ${new URL(endpoint).host} (ROLE=${ROLE})`);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.collector?.close(this.config.SHUTDOWN_GRACE * 1_000 * GRACE_SHARE);
  }

  /** Whether there is a collector: ask before a span is put together. */
  get areOn(): boolean {
    return this.collector !== undefined;
  }

  /** @param span its start and end, and the caller's `traceparent` */
  accepted(
    messageLogId: number,
    message: JudgedMessage,
    span: Pick<MessageSpan, 'start' | 'end' | 'cause'>,
  ): void {
    const attributes = {
      'tms.message_log_id': messageLogId,
      'tms.tenant_id': message.tenant_id,
      'tms.number_id': message.messaging_account_id,
      'tms.template': message.template_name,
      'tms.category': message.category,
    };
    this.add({ messageLogId, name: 'accept', attributes, ...span });
  }

  add(span: MessageSpan): void {
    this.collector?.add(traceIdsOf(this.installation, span.messageLogId), span);
  }

  private say(error: Error): void {
    if (performance.now() - this.saidAt < SAID) return;
    this.saidAt = performance.now();
    this.logger.warn(`Traces are lost: the collector does not take them: ${error.message}`);
  }
}

import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import { MessageTagsService } from '../messages/message-tags.service.js';
import { MessageTraces } from '../messages/traces/message-traces.service.js';
import type { ClaimedMessage } from '../outbox/outbox.store.js';
import { ProviderClient, type SentMessage } from '../provider/provider.client.js';
import { ProviderError } from '../provider/provider-error.js';
import type { WireSendRequest } from '../provider/wire.js';

/** Makes the call that sends a claimed message. */
@Injectable()
export class CallsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly tags: MessageTagsService,
    private readonly provider: ProviderClient,
    private readonly traces: MessageTraces,
    private readonly clock: Clock,
  ) {}

  /**
   * @param mayLeave asked when the call is about to be written
   * @throws NotLeft when it said no, ProviderError when the provider did not take the message
   */
  async send(message: ClaimedMessage, mayLeave: () => boolean): Promise<SentMessage> {
    const secrets = await this.accounts.secretsOf(message.business_account_id);
    if (!secrets) throw new Error(`There is no business account ${message.business_account_id}`);
    const request = toWire(message, await this.tags.write(message.id));
    const call = this.provider.send(secrets, message.phone_number_id, request, { mayLeave });
    return this.traces.areOn ? this.traced(message, call) : call;
  }

  private async traced(message: ClaimedMessage, call: Promise<SentMessage>): Promise<SentMessage> {
    const start = this.clock.now();
    try {
      const sent = await call;
      this.trace(message, start, sent.messageStatus);
      return sent;
    } catch (error) {
      if (error instanceof ProviderError) this.trace(message, start, error);
      throw error;
    }
  }

  /** What went before the call, and the call itself. */
  private trace(message: ClaimedMessage, start: Date, outcome: string | ProviderError): void {
    const { id: messageLogId, attempts, due_at, wanted_at } = message;
    const about = {
      'tms.message_log_id': messageLogId,
      'tms.tenant_id': message.tenant_id,
      'tms.number_id': message.messaging_account_id,
      'tms.template': message.template_name,
      'tms.attempt': attempts,
    };
    const since = attempts === 1 ? wanted_at : due_at;
    this.traces.add({ messageLogId, name: 'wait', start: since, end: start, attributes: about });
    const error = typeof outcome === 'string' ? null : outcome;
    this.traces.add({
      messageLogId,
      name: 'call',
      start,
      end: this.clock.now(),
      attributes: {
        ...about,
        'tms.outcome': error?.errorClass ?? (outcome as string),
        'tms.error_code': error?.code ?? undefined,
        'http.response.status_code': error ? (error.httpStatus ?? undefined) : 200,
      },
      fault: error?.errorClass,
    });
  }
}

function toWire(message: ClaimedMessage, tag: string): WireSendRequest {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: message.phone,
    type: 'template',
    template: {
      name: message.template_name,
      language: { code: message.language },
      ...(message.components.length > 0 && { components: message.components }),
    },
    // Comes back in every receipt, so that it finds its row even when this process dies before the answer.
    biz_opaque_callback_data: tag,
  };
}

import { Injectable } from '@nestjs/common';
import { AccountsService, type BusinessAccountSecrets } from '../accounts/accounts.service.js';
import { Clock } from '../common/clock.js';
import type { Queryable } from '../database/database.js';
import { TELL_INBOUND } from '../messages/receipts/inbound.sql.js';
import type { InboundMessage } from './domain/read-webhook.js';
import { RecipientWishesService } from './recipient-wishes.service.js';

/** Messages of recipients: what follows from them, and the events that tell of them. */
@Injectable()
export class InboundMessagesService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly wishes: RecipientWishesService,
    private readonly clock: Clock,
  ) {}

  /** Opts out those who say so. */
  async followWishes(messages: InboundMessage[], connection: Queryable): Promise<void> {
    const received = await this.withAccounts(messages);
    await this.wishes.followTexts(
      received.map(({ account, message }) => ({ tenantId: account.tenantId, message })),
      connection,
    );
  }

  /** Tells of each in the stream; of one that was told before, nothing. */
  async tell(messages: InboundMessage[], connection: Queryable): Promise<void> {
    const received = await this.withAccounts(messages);
    if (received.length === 0) return;
    const rows = received.map(({ account, message }, ordinal) => ({
      ordinal,
      business_account_id: account.id,
      phone_number_id: message.phoneNumberId,
      key: message.key,
      sender: message.from,
      type: message.type,
      said: message.text,
      payload: message.payload,
      answers: message.answers,
      occurred_at: message.occurredAt,
    }));
    await connection.run(TELL_INBOUND, [this.clock.now(), JSON.stringify(rows)]);
  }

  private async withAccounts(
    messages: InboundMessage[],
  ): Promise<{ account: BusinessAccountSecrets; message: InboundMessage }[]> {
    const received = messages.map(async (message) => {
      const account = await this.accounts.secretsOfWaba(message.wabaId);
      return account ? [{ account, message }] : [];
    });
    return (await Promise.all(received)).flat();
  }
}

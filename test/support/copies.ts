import { readTag } from '../../src/messages/domain/message-tag.js';
import { MessageTags } from '../../src/messages/message-tags.js';
import type { SandboxMessage } from '../../src/sandbox/sandbox-state.js';
import type { TestService } from './service.js';

/** The id of the message that a copy at the provider is of. */
export function messageLogIdOf(copy: Pick<SandboxMessage, 'biz_opaque_callback_data'>): number | undefined {
  return readTag(copy.biz_opaque_callback_data)?.messageLogId;
}

/** What the sandbox has taken of a message. */
export function copiesOf({ sandbox }: Pick<TestService, 'sandbox'>, id: number): SandboxMessage[] {
  return sandbox.messages().filter((copy) => messageLogIdOf(copy) === id);
}

/** What goes out with a message, and comes back in its receipts. */
export function tagOf({ app }: Pick<TestService, 'app'>, id: number): Promise<string> {
  return app.get(MessageTags, { strict: false }).write(id);
}

import { readTag } from '../../src/messages/domain/message-tag.js';
import { MessageTagsService } from '../../src/messages/message-tags.service.js';
import type { SandboxMessage } from '../../src/sandbox/sandbox-state.js';
import type { TestService } from './service.js';

/** The message log id of a copy at the provider. */
export function messageLogIdOf(copy: Pick<SandboxMessage, 'biz_opaque_callback_data'>): number | undefined {
  return readTag(copy.biz_opaque_callback_data)?.messageLogId;
}

/** The copies of a message that the sandbox has taken. */
export function copiesOf({ sandbox }: Pick<TestService, 'sandbox'>, id: number): SandboxMessage[] {
  return sandbox.messages().filter((copy) => messageLogIdOf(copy) === id);
}

/** The tag of a message: what is sent with it and comes back in its receipts. */
export function tagOf({ app }: Pick<TestService, 'app'>, id: number): Promise<string> {
  return app.get(MessageTagsService, { strict: false }).write(id);
}

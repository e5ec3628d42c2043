import { setTimeout as delay } from 'node:timers/promises';
import { within } from '../common/within.js';
import type { Database, Statement } from '../database/database.js';
import type { CommitUnknownError } from '../database/database-errors.js';

/** Milliseconds for which the database is asked; its caller waits meanwhile, and has waited for the commit. */
const LOOK_FOR = 1_500;
const LOOK_PAUSE = 100;

/**
 * Finds which of the messages were committed whose connection was lost during the commit. The lost connection is ended
 * first, so that what is not there by then never will be.
 * @param createdAt of all of them
 * @returns their ids by their tokens
 * @throws the given CommitUnknownError when the database does not tell in time
 */
export async function findAccepted(
  database: Database,
  cut: CommitUnknownError,
  createdAt: Date,
  messages: { tenant_id: string; accept_token: string }[],
): Promise<Map<string, number>> {
  const tenants = [...new Set(messages.map((message) => message.tenant_id))];
  const tokens = messages.map((message) => message.accept_token);
  const look = async () => {
    await database.endBackend(cut.backend);
    const found = await database.run<{ id: number; token: string }>(FIND, [tenants, createdAt, tokens]);
    if (found.length > 0) await database.confirm();
    return new Map(found.map(({ id, token }) => [token, id]));
  };
  const end = performance.now() + LOOK_FOR;
  return within(LOOK_FOR, untilAnswered(look, end), () => cut);
}

/** Tries again until it works, or the time is over. */
async function untilAnswered<Answer>(look: () => Promise<Answer>, end: number): Promise<Answer> {
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(LOOK_PAUSE);
    }
  }
}

/** By the index on tenant and time: the token needs none of its own. */
export const FIND: Statement = {
  name: 'message_find_accepted',
  text: `
    SELECT id, accept_token AS token FROM message_logs
    WHERE tenant_id = ANY($1::uuid[]) AND created_at = $2 AND accept_token = ANY($3::uuid[])`,
};

import { documentationFaults, type Operation, OPERATIONS, requestFaults } from './documented-api.js';
import { ask, type FuzzAnswer, type FuzzRequest } from './request.js';
import type { World } from './world.js';

/** Leaves out optional fields that are null, except in an `action`, which is passed on as it is. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([name, field]) => [name, name === 'action' ? field : withoutNulls(field)]),
  );
}

const RECORD = OPERATIONS.find(({ operationId }) => operationId === 'getMessage') as Operation;

interface Row {
  category: string;
  cost: string;
  charges: number;
  charged: string | null;
}

const ROW = `
  SELECT m.conversation_category AS category, m.cost::text,
    (SELECT count(*) FROM ledger_entries l WHERE l.message_log_id = m.id AND l.kind = 'charge') AS charges,
    (SELECT max(l.amount)::text FROM ledger_entries l WHERE l.message_log_id = m.id) AS charged
  FROM message_logs m WHERE m.id = $1`;

/** The faults of an accepted send: of its body, its message, its charge, or the answer to its repetition. */
export async function acceptanceFaults(
  operation: Operation,
  request: FuzzRequest,
  answer: FuzzAnswer,
  world: World,
): Promise<string[]> {
  const { data } = answer.json as {
    data: { message_log_id: number; conversation_category: string; cost: number };
  };
  const body: unknown = JSON.parse((request.body?.toString() ?? '').replace(/^\ufeff/, ''));
  const [row] = await world.run<Row>(ROW, [data.message_log_id]);
  const faults = requestFaults(operation, withoutNulls(body));
  if (!row) return [...faults, `message ${data.message_log_id} was accepted and is not there`];
  if (row.charges !== 1) faults.push(`message ${data.message_log_id} was charged ${row.charges} times`);
  if (row.cost !== row.charged || Number(row.cost) !== data.cost)
    faults.push(`the answer says ${data.cost}, the message ${row.cost}, its charge ${row.charged}`);
  if (row.category !== data.conversation_category) faults.push(`the message is of category ${row.category}`);
  return [
    ...faults,
    ...(await recordFaults(data.message_log_id, request, world)),
    ...(await replayFaults(request, answer, world)),
  ];
}

/** Checks the message as the API shows it. */
async function recordFaults(id: number, { headers }: FuzzRequest, world: World): Promise<string[]> {
  const { Authorization: authorization = '' } = headers;
  const path = `/api/v1/messages/${id}`;
  const request = { method: 'GET', path, headers: { Authorization: authorization } };
  const answer = await ask(world.service.url, request);
  if (answer.status !== 200) return [`the accepted message ${id} is answered with ${answer.status}`];
  return documentationFaults(RECORD, request, answer);
}

/** Checks that the same request with the same key gets the same answer, marked as replayed. */
async function replayFaults(request: FuzzRequest, answer: FuzzAnswer, world: World): Promise<string[]> {
  if (request.headers['Idempotency-Key'] === undefined) return [];
  const again = await ask(world.service.url, request);
  if (
    again.status === answer.status &&
    again.text === answer.text &&
    again.headers['idempotency-replayed'] === 'true'
  )
    return [];
  return [`repeated with its key it is answered with ${again.status} ${again.text.slice(0, 300)}`];
}

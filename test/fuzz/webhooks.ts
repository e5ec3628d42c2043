import fc from 'fast-check';
import { DEMO } from '../../src/embedded/demo.js';
import { eventually } from '../support/eventually.js';
import { SECRETS } from '../support/service.js';
import { sign } from '../support/webhooks.js';
import { type Edit, edited, editedText, editWith, type TextEdit, textEdits } from './broken.js';
import { report } from './hunt.js';
import { bare, toJsonText } from './json-text.js';
import { oddText, oddValue, PROTOTYPE_NAMES } from './odd-values.js';
import { envelopeFaults } from './oracle.js';
import { ask, curlOf, type FuzzAnswer, type FuzzRequest } from './request.js';
import { WEBHOOK_SEEDS, type WebhookSeed } from './webhook-seeds.js';
import { known, type World } from './world.js';

interface WebhookCase {
  seeds: WebhookSeed[];
  changes: Edit[];
  textEdits: TextEdit[];
  signature: 'right' | 'wrong' | 'none';
}

/** Values to put into wrong places: odd ones, values of other webhooks, ids with more digits than a double can hold. */
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: oddValue },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      bare('12345678901234567'),
      bare('99999999999999999999'),
      known('wamid', 1),
      known('tag', 2),
      known('template', 0),
      DEMO.wabaId,
      '0',
      'tms:0000000000000000:1',
      '999999999999999',
      'failed',
      'read',
      'DELETED',
      ...PROTOTYPE_NAMES,
    ),
  },
);

const FIELDS = [
  'id',
  'status',
  'errors',
  'event',
  'entry',
  'changes',
  'value',
  'waba_info',
  'timestamp',
  'metadata',
];
const change = editWith(value, fc.oneof(fc.constantFrom(...FIELDS, ...PROTOTYPE_NAMES), oddText));

const webhookCase: fc.Arbitrary<WebhookCase> = fc.record({
  seeds: fc.array(fc.constantFrom(...WEBHOOK_SEEDS), { minLength: 1, maxLength: 2 }),
  changes: fc.array(change, { maxLength: 3 }),
  textEdits,
  signature: fc.oneof(
    { weight: 12, arbitrary: fc.constant<WebhookCase['signature']>('right') },
    { weight: 1, arbitrary: fc.constantFrom<WebhookCase['signature']>('wrong', 'none') },
  ),
});

/** The delivery as the provider would send it. */
async function requestOf(
  { seeds, changes, textEdits: cuts, signature }: WebhookCase,
  world: World,
): Promise<FuzzRequest> {
  const entry = seeds.map(([field, told]) => ({
    id: DEMO.wabaId,
    time: 1_790_000_000,
    changes: [{ field, value: told }],
  }));
  const delivery = edited({ object: 'whatsapp_business_account', entry }, changes);
  const body = editedText(await world.filled(toJsonText(delivery)), cuts);
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  const secret = signature === 'right' ? SECRETS.sandboxAppSecret : 'another';
  if (signature !== 'none') headers['X-Hub-Signature-256'] = sign(body, secret);
  return { method: 'POST', path: '/webhooks/provider', headers, body };
}

/** A delivery with any content is refused, or accepted and applied: none waits for ever or is put aside by a fault. */
export const webhooksProperty = (world: World) =>
  fc.asyncProperty(webhookCase, async (one) => {
    const { url } = world.service;
    const request = await requestOf(one, world);
    const answer = await ask(url, request);
    report(answerFaults(one, request, answer), curlOf(url, request));
    report(await parkedFaults(world), curlOf(url, request));
  });

function answerFaults({ signature }: WebhookCase, request: FuzzRequest, answer: FuzzAnswer): string[] {
  const faults = envelopeFaults(request, answer);
  const { status } = answer;
  if (signature !== 'right' && status !== 401 && status !== 400)
    faults.push(`a wrong signature got a ${status}`);
  const { code } = (answer.json as { error?: { code?: string } } | undefined)?.error ?? {};
  // Input that is not JSON cannot be read; input that is nested too deeply is not read.
  const isUnreadable = status === 400 && (!isJson(request.body) || code === 'VALIDATION_FAILED');
  if (status !== 200 && status !== 401 && !isUnreadable) faults.push(`a delivery got a ${status}`);
  return faults;
}

function isJson(body: Buffer | undefined): boolean {
  try {
    JSON.parse(String(body));
    return true;
  } catch {
    return false;
  }
}

interface InboxRow {
  id: number;
  parked: boolean;
  error: string | null;
}

const LEFT = `
  SELECT id, parked_at IS NOT NULL AS parked, error FROM webhook_inbox
  WHERE processed_at IS NULL AND unknown_accounts IS NULL`;

/** Waits until every delivery is applied or put aside, and removes the latter. @returns why they were put aside */
async function parkedFaults(world: World): Promise<string[]> {
  const left = await eventually(
    async () => {
      const rows = await world.run<InboxRow>(LEFT);
      const waiting = rows.filter(({ parked }) => !parked);
      if (waiting.length > 0) throw new Error(`${waiting.length} deliveries wait to be applied`);
      return rows;
    },
    { interval: 3 },
  );
  if (left.length > 0)
    await world.run('DELETE FROM webhook_inbox WHERE id = ANY($1)', [left.map(({ id }) => id)]);
  return left.map(({ error }) => `put aside: ${error}`);
}

import { beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO } from '../../src/embedded/demo.js';
import { ProviderClient } from '../../src/provider/provider.client.js';
import { ProviderError } from '../../src/provider/provider-error.js';
import type { TemplateDraft } from '../../src/templates/domain/template-draft.js';
import { TemplateSyncService } from '../../src/templates/template-sync.service.js';
import type { Answer, Api } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import { useTestService } from '../support/test-service.js';
import {
  demoAccount,
  draft,
  DRAFTS,
  send,
  storedTemplates,
  type TemplateRow,
  TEMPLATES,
} from '../support/template-drafts.js';
import { template } from '../support/tenants.js';
import '../support/matchers.js';

const HOUR = 3_600_000;

const service = useTestService();
let editor: Api;
let businessAccountId: string;
beforeAll(async () => {
  editor = await dashboardApi(service(), 'editor');
  businessAccountId = await demoAccount(service());
});

const stored = (name: string) => storedTemplates(service(), name);
const submit = (changes: Partial<TemplateDraft>, others: object = {}) =>
  editor.post(TEMPLATES, { business_account_id: businessAccountId, draft: draft(changes), ...others });
const edit = (id: number, changed: TemplateDraft) =>
  send(editor, 'PATCH', `${TEMPLATES}/${id}`, { draft: changed });
const start = async (query: string) => (await editor.get(`${DRAFTS}/start?${query}`)).body.data;
const reviewed = (name: string, status = 'APPROVED'): Promise<TemplateRow> =>
  eventually(async () => {
    const [row] = await stored(name);
    expect(row?.status).toBe(status);
    return row!;
  });
const audited = (action: string) =>
  service().database.run<{ details: Record<string, unknown> }>(
    { name: 'test_audit', text: 'SELECT details FROM audit_log WHERE action = $1 ORDER BY id' },
    [action],
  );

/** Makes a template of this name, and waits until it is approved. */
async function approved(name: string): Promise<TemplateRow> {
  await submit({ name });
  return reviewed(name);
}

/** Runs `run` while the provider's answer to this call never arrives, whether it did what was asked or not. */
async function withLostAnswer(
  call: 'createTemplate' | 'editTemplate',
  work: () => Promise<Answer>,
  { isDone = true } = {},
): Promise<Answer> {
  const client = service().app.get(ProviderClient, { strict: false });
  const ask = client[call].bind(client) as (...details: unknown[]) => Promise<never>;
  client[call] = async (...details: unknown[]) => {
    if (isDone) await ask(...details);
    throw new ProviderError({ errorClass: 'unknown', title: 'No answer' });
  };
  try {
    return await work();
  } finally {
    Reflect.deleteProperty(client, call); // the method of the class is visible again
  }
}

describe('submitting', () => {
  it('puts the template in review at once, and deletes its draft', async () => {
    await send(editor, 'PUT', `${DRAFTS}/done`, {
      revision: 0,
      business_account_id: businessAccountId,
      draft: draft(),
    });
    const { status, body } = await submit({}, { draft_key: 'done' });
    expect(status).toBe(201);
    const [row] = await stored('parcel_update');
    expect(body.data).toMatchObject({ template_id: row!.id, name: 'parcel_update', language: 'en_US' });
    expect(await editor.get(`${DRAFTS}/done`)).toBeError(404, 'NOT_FOUND');
    await reviewed('parcel_update');
    expect((await audited('template.submitted')).map(({ details }) => details)).toContainEqual({
      template_id: row!.id,
      name: 'parcel_update',
      language: 'en_US',
    });
  });

  it('shows a rejection with its reason when the provider rejects the template', async () => {
    await submit({ name: 'to_reject' });
    expect(await reviewed('to_reject', 'REJECTED')).toMatchObject({
      status_reason: expect.stringContaining('INVALID_FORMAT'),
    });
  });

  it('accepts an authentication template', async () => {
    const { authentication, ...rest } = draft({ name: 'login_code', category: 'AUTHENTICATION', body: '' });
    const answer = await submit({
      ...rest,
      body_samples: {},
      authentication: { ...authentication, code_expiration_minutes: 10 },
    });
    expect(answer.status).toBe(201);
    expect((await reviewed('login_code')).text).toContain('verification code');
  });

  it('accepts a time to live within the bounds of the category', async () => {
    await submit({ name: 'brief', message_send_ttl_seconds: 300 });
    expect((await stored('brief'))[0]).toMatchObject({ message_send_ttl_seconds: 300 });
    expect(await submit({ name: 'too_brief', message_send_ttl_seconds: 10 })).toBeError(
      400,
      'VALIDATION_FAILED',
      [{ field: 'message_send_ttl_seconds', message: 'Use a time from 30 seconds to 12 hours, or 30 days.' }],
    );
  });

  it('names every fault at its field, without asking the provider', async () => {
    const answer = await submit({
      name: 'Bad Name',
      body: '{{1}} is late',
      body_samples: {},
      footer: 'x'.repeat(61),
    });
    expect(answer).toBeError(400, 'VALIDATION_FAILED');
    expect(answer.body.error.details).toEqual(
      expect.arrayContaining([
        { field: 'name', message: 'Use lower-case letters, digits and underscores only.' },
        { field: 'body', message: 'The text cannot start with a variable.' },
        { field: 'body_samples.1', message: 'Give a sample for {{1}}.' },
        { field: 'footer', message: 'At most 60 characters are allowed, there are 61.' },
      ]),
    );
  });

  it.each(['header', 'authentication'])('refuses a draft whose %s is missing or no object', async (field) => {
    for (const value of [undefined, null, [], 'text']) {
      const answer = await submit({ name: 'incomplete', [field]: value });
      expect(answer).toBeError(400, 'VALIDATION_FAILED', [
        expect.objectContaining({ field: `draft.${field}` }),
      ]);
    }
    expect(await stored('incomplete')).toEqual([]);
  });

  it('refuses buttons that are no objects', async () => {
    for (const buttons of [null, [null], ['text'], [[]], [[[]]], [[{ type: 'quick_reply', text: 'Yes' }]]]) {
      const answer = await submit({ name: 'no_buttons', buttons: buttons as never });
      expect(answer).toBeError(400, 'VALIDATION_FAILED');
    }
    expect(await stored('no_buttons')).toEqual([]);
  });

  it('shows the provider’s own words at the field that they are about', async () => {
    const crowded = await submit({
      name: 'crowded',
      body: 'Dear {{1}}, {{2}} now.',
      body_samples: { 1: 'a', 2: 'b' },
    });
    expect(crowded).toBeError(400, 'VALIDATION_FAILED', [
      {
        field: 'body',
        title: 'Parameter words ratio exceeds limit',
        message: expect.stringContaining('too many variables for its length'),
        provider_code: 100,
        provider_subcode: 2388293,
      },
    ]);
    const taken = await submit({ name: 'order_update', body: 'Something else entirely.', body_samples: {} });
    expect(taken.body.error.details).toEqual([
      expect.objectContaining({ field: 'name', provider_subcode: 2388024 }),
    ]);
  });

  it('makes one template for a double click', async () => {
    const answers = await Promise.all([submit({ name: 'twice' }), submit({ name: 'twice' })]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(answers.map(({ body }) => body.data['template_id'])).size).toBe(1);
    expect(await stored('twice')).toHaveLength(1);
  });

  it('finds the template that it has made when the provider’s answer was lost', async () => {
    const lost = await withLostAnswer('createTemplate', () => submit({ name: 'answer_lost' }));
    expect(lost.status).toBe(201);
    expect(await stored('answer_lost')).toHaveLength(1);
  });

  it('asks the user to try again when the provider does not answer and has made nothing', async () => {
    const answer = await withLostAnswer('createTemplate', () => submit({ name: 'no_answer' }), {
      isDone: false,
    });
    expect(answer).toBeError(503, 'SERVICE_UNAVAILABLE');
    expect((await submit({ name: 'no_answer' })).status).toBe(201);
  });

  it('does not confuse its template with an older one of that name, or with one of other content', async () => {
    await submit({ name: 'twice_over' });
    const changed = await submit({ name: 'twice_over', footer: 'More' });
    expect(changed.body.error.details).toEqual([expect.objectContaining({ field: 'name' })]);
    service().clock.forward(HOUR);
    expect((await submit({ name: 'twice_over' })).body.error.details).toEqual([
      expect.objectContaining({ field: 'name' }),
    ]);
  });

  it('names the business account when the provider refuses its token', async () => {
    service().sandbox.control.revokeToken(DEMO.wabaId);
    const answer = await submit({ name: 'revoked' });
    service().sandbox.control.restoreToken(DEMO.wabaId);
    expect(answer).toBeError(400, 'VALIDATION_FAILED', [
      expect.objectContaining({ field: 'business_account_id', provider_code: 190 }),
    ]);
  });
});

describe('editing', () => {
  it('puts the new content in review, and counts as an edit of the day', async () => {
    const { id } = await approved('to_edit');
    const changed = draft({ name: 'to_edit', body: 'Dear {{1}}, your parcel has come to our shop.' });
    expect((await edit(id, changed)).body.data).toMatchObject({ template_id: id });
    expect((await reviewed('to_edit')).text).toBe(changed.body);
    const again = await edit(id, { ...changed, footer: 'New' });
    expect(again).toBeError(400, 'VALIDATION_FAILED', [
      { field: 'status', message: 'An approved template can be edited once in 24 hours.' },
    ]);
    expect((await start(`template_id=${id}`))['template']).toMatchObject({
      rules: { content: { allowed: false, reason: 'edited_in_last_day', until: expect.any(String) } },
    });
    expect((await audited('template.edited')).at(-1)?.details).toMatchObject({ template_id: id });
  });

  it('changes the time to live, and sets it back to the provider’s default', async () => {
    await submit({ name: 'reject_life', message_send_ttl_seconds: 300 });
    const { id } = await reviewed('reject_life', 'REJECTED');
    const { message_send_ttl_seconds: _, ...silent } = draft({ name: 'reject_life', footer: 'Thanks' });
    const becomes = async (changed: TemplateDraft, seconds: number) => {
      expect((await edit(id, changed)).status).toBe(200);
      expect((await stored('reject_life'))[0]).toMatchObject({ message_send_ttl_seconds: seconds });
      await reviewed('reject_life', 'REJECTED');
    };
    expect((await start(`template_id=${id}`))['draft']).toMatchObject({ message_send_ttl_seconds: 300 });
    await becomes({ ...silent, message_send_ttl_seconds: 600 }, 600);
    await becomes({ ...silent, footer: 'From an older page' }, 600);
    await becomes({ ...silent, message_send_ttl_seconds: null }, -1);
  });

  it('is done once for a double click', async () => {
    const { id } = await approved('edit_twice');
    const changed = draft({ name: 'edit_twice', footer: 'Thank you' });
    const answers = await Promise.all([edit(id, changed), edit(id, changed)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('is recognized as done when the provider’s answer was lost', async () => {
    const { id } = await approved('edit_lost');
    const changed = draft({ name: 'edit_lost', footer: 'Thank you' });
    const answer = await withLostAnswer('editTemplate', () => edit(id, changed));
    expect(answer.status).toBe(200);
    await reviewed('edit_lost');
    expect(await edit(id, { ...changed, footer: 'Bye' })).toBeError(400, 'VALIDATION_FAILED');
  });

  it('changes neither name, language nor an approved category', async () => {
    const { id } = await approved('fixed');
    const answer = await edit(id, draft({ name: 'other', language: 'de', category: 'MARKETING' }));
    expect(answer).toBeError(400, 'VALIDATION_FAILED');
    expect(answer.body.error.details.map(({ field }) => field)).toEqual(['name', 'language', 'category']);
  });

  it('may change the category of a rejected template', async () => {
    await submit({ name: 'reject_category' });
    const { id } = await reviewed('reject_category', 'REJECTED');
    expect((await edit(id, draft({ name: 'reject_category', category: 'MARKETING' }))).status).toBe(200);
    await eventually(async () => expect((await stored('reject_category'))[0]?.category).toBe('MARKETING'));
  });

  it('is refused when it would drop parts that the editor does not know', async () => {
    const card = { components: [{ type: 'BODY', text: 'A card' }] };
    const parts = [
      { type: 'BODY', text: 'Look at these two.' },
      { type: 'CAROUSEL', cards: [card, card] },
    ];
    service().sandbox.addTemplate(DEMO.wabaId, template('cards', parts));
    await service().app.get(TemplateSyncService, { strict: false }).sync(businessAccountId);
    const [row] = await stored('cards');
    expect((await start(`template_id=${row!.id}`))['template']).toMatchObject({ unsupported: ['CAROUSEL'] });
    const answer = await edit(row!.id, draft({ name: 'cards' }));
    expect(answer).toBeError(400, 'VALIDATION_FAILED');
    expect(answer.body.error.message).toContain('CAROUSEL');
  });
});

describe('deleting', () => {
  it('deletes one language, and then all the others', async () => {
    const { id } = await approved('to_delete');
    await submit({ name: 'to_delete', language: 'de' });
    await submit({ name: 'to_delete', language: 'fr' });
    expect((await send(editor, 'DELETE', `${TEMPLATES}/${id}`)).body.data).toEqual({ deleted: 1 });
    const left = await stored('to_delete');
    expect(left).toHaveLength(2);
    const all = await send(editor, 'DELETE', `${TEMPLATES}/${left[0]!.id}?all_languages=true`);
    expect(all.body.data).toEqual({ deleted: 2 });
    expect(await stored('to_delete')).toEqual([]);
    await service().app.get(TemplateSyncService, { strict: false }).sync(businessAccountId);
    expect(await stored('to_delete')).toEqual([]);
    expect(await audited('template.deleted')).toHaveLength(3);
  });

  it('deletes a template that the provider no longer has', async () => {
    const { id } = await approved('lost_there');
    // As if the webhook about this had not come.
    await send(editor, 'DELETE', `${TEMPLATES}/${id}`);
    const revive = 'UPDATE templates SET removed_at = NULL WHERE id = $1';
    await eventually(async () => {
      await service().database.run({ name: 'test_revive', text: revive }, [id]);
      // This can fail when a sync that was under way has removed it first.
      expect((await send(editor, 'DELETE', `${TEMPLATES}/${id}`)).status).toBe(200);
    });
    expect(await stored('lost_there')).toEqual([]);
  });
});

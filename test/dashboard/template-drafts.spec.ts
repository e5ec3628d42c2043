import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import { useTestService } from '../support/test-service.js';
import {
  demoAccount,
  draft,
  DRAFTS,
  header,
  PNG,
  send,
  storedTemplates,
  TEMPLATES,
} from '../support/template-drafts.js';
import { addTenant, template, type TestTenant } from '../support/tenants.js';
import '../support/matchers.js';

const service = useTestService();
let editor: Api;
let businessAccountId: string;
let other: TestTenant;
beforeAll(async () => {
  editor = await dashboardApi(service(), 'editor');
  businessAccountId = await demoAccount(service());
  other = await addTenant(service(), { templates: [template('theirs', 'Hello there, friend.')] });
});

const start = async (query: string) => (await editor.get(`${DRAFTS}/start?${query}`)).body.data;
const upload = (type: string, bytes: Buffer, account = businessAccountId) =>
  editor.request(
    'POST',
    `/dashboard/api/uploads/header-sample?file_name=a%20b.png&business_account_id=${account}`,
    bytes,
    { 'Content-Type': type },
  );

describe('a draft', () => {
  const save = (key: string, revision: number, changed: unknown, api = editor) =>
    send(api, 'PUT', `${DRAFTS}/${key}`, {
      revision,
      business_account_id: businessAccountId,
      draft: changed,
    });

  it('is saved as it was typed, however unfinished, and found again', async () => {
    const typed = draft({ name: '', body: 'Hello {{1', buttons: [{ type: 'quick_reply', text: '' }] });
    const saved = await save('first', 0, typed);
    expect(saved.body.data).toEqual({ key: 'first', revision: 1, saved_at: expect.any(String) });
    expect((await editor.get(`${DRAFTS}/first`)).body.data).toMatchObject({ revision: 1, draft: typed });
    expect((await start('key=first'))['saved']).toMatchObject({ key: 'first', draft: typed });
    expect((await editor.get(DRAFTS)).body.data).toContainEqual(
      expect.objectContaining({ key: 'first', template_id: null, name: '', category: 'UTILITY' }),
    );
  });

  it('is not overwritten by a tab that has not seen the latest change', async () => {
    await save('tabs', 0, draft());
    await save('tabs', 1, draft({ footer: 'One tab' }));
    const refused = await save('tabs', 1, draft({ footer: 'Another' }));
    expect(refused).toBeError(400, 'VALIDATION_FAILED', [
      expect.objectContaining({ field: 'revision', expected: 2, actual: 1, saved_at: expect.any(String) }),
    ]);
    expect((await editor.get(`${DRAFTS}/tabs`)).body.data['draft']).toMatchObject({ footer: 'One tab' });
    expect((await save('tabs', 2, draft({ footer: 'Another' }))).body.data).toMatchObject({ revision: 3 });
  });

  it('may be saved again when the answer was lost', async () => {
    await save('lost', 0, draft());
    expect((await save('lost', 0, draft())).status).toBe(200);
  });

  it('is visible to its writer alone', async () => {
    await save('mine', 0, draft());
    const colleague = await dashboardApi(service(), 'editor');
    expect(await colleague.get(`${DRAFTS}/mine`)).toBeError(404, 'NOT_FOUND');
    await save('mine', 0, draft({ footer: 'Theirs' }), colleague);
    expect((await editor.get(`${DRAFTS}/mine`)).body.data['draft']).toMatchObject({ footer: '' });
  });

  it('is deleted when it is discarded', async () => {
    await save('gone', 0, draft());
    await send(editor, 'DELETE', `${DRAFTS}/gone`);
    expect(await editor.get(`${DRAFTS}/gone`)).toBeError(404, 'NOT_FOUND');
  });

  it.each([
    ['draft.body', { ...draft(), body: 3 }],
    ['draft.colour', { ...draft(), colour: 'red' }],
    ['draft.header.kind', { ...draft(), header: header({ kind: 'song' as 'none' }) }],
    ['draft.body_samples', { ...draft(), body_samples: { 1: 2 } }],
    ['draft.buttons[0].type', { ...draft(), buttons: [{ type: 'sing' }] }],
    ['draft.buttons[0].url', { ...draft(), buttons: [{ type: 'url', text: 'Go', sample: '' }] }],
    ['draft.buttons[0]', { ...draft(), buttons: [null] }],
    ['draft.header', { ...draft(), header: null }],
  ])('is refused when its shape is wrong: %s', async (field, wrong) => {
    const answer = await save('shape', 0, wrong);
    expect(answer).toBeError(400, 'VALIDATION_FAILED');
    expect(answer.body.error.details.map((detail) => detail.field)).toContain(field);
  });

  it('cannot name a business account of another tenant', async () => {
    const body = { revision: 0, business_account_id: other.businessAccountId, draft: draft() };
    expect(await send(editor, 'PUT', `${DRAFTS}/x`, body)).toBeError(404, 'ACCOUNT_NOT_FOUND');
  });
});

describe('a header sample', () => {
  it.each([
    ['image/png', 'IMAGE', 'image'],
    ['image/jpeg', 'IMAGE', 'image'],
    ['video/mp4', 'VIDEO', 'video'],
    ['application/pdf', 'DOCUMENT', 'document'],
  ] as const)(
    'of type %s is passed on, and its handle makes a header of format %s',
    async (type, format, kind) => {
      const { body } = await upload(type, PNG);
      const name = `sample_${type.replace('/', '_')}`;
      const answer = await editor.post(TEMPLATES, {
        business_account_id: businessAccountId,
        draft: draft({ name, header: header({ kind, media_handle: body.data['handle'] }) }),
      });
      expect(answer.status).toBe(201);
      const [row] = await storedTemplates(service(), name);
      expect(row?.format).toBe(format);
    },
  );

  it('may be as large as the provider allows, and no larger', async () => {
    expect((await upload('image/png', Buffer.alloc(5 * 1024 * 1024))).status).toBe(201);
    expect(await upload('image/png', Buffer.alloc(5 * 1024 * 1024 + 1))).toBeError(413, 'PAYLOAD_TOO_LARGE');
    expect(await upload('image/png', Buffer.alloc(0))).toBeError(400, 'VALIDATION_FAILED');
  });

  it('must have a type that the provider allows', async () => {
    expect(await upload('image/gif', PNG)).toBeError(415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('must go to a business account of the user’s tenant', async () => {
    expect(await upload('image/png', PNG, other.businessAccountId)).toBeError(404, 'ACCOUNT_NOT_FOUND');
  });
});

describe('the editor opens', () => {
  it('with the texts of a template, and what may be changed', async () => {
    await editor.post(TEMPLATES, {
      business_account_id: businessAccountId,
      draft: draft({ name: 'to_open' }),
    });
    const id = await eventually(async () => {
      const [row] = await storedTemplates(service(), 'to_open');
      expect(row?.status).toBe('APPROVED');
      return row!.id;
    });
    const opened = await start(`template_id=${id}`);
    expect(opened).toMatchObject({
      key: `template-${id}`,
      business_account_id: businessAccountId,
      saved: null,
    });
    expect(opened['draft']).toEqual(draft({ name: 'to_open' }));
    expect(opened['template']).toMatchObject({
      status: 'APPROVED',
      languages: ['en_US'],
      unsupported: [],
      rules: {
        content: { allowed: true },
        category: { allowed: false, reason: 'approved_category' },
        name: { allowed: false, reason: 'identity' },
      },
    });
  });

  it('with a copy in another language, which becomes a template of its own', async () => {
    const [row] = await storedTemplates(service(), 'to_open');
    const copy = await start(`copy=${row!.id}&language=de`);
    expect(copy).toMatchObject({ key: null, draft: { name: 'to_open', language: 'de' } });
    const answer = await editor.post(TEMPLATES, {
      business_account_id: copy['business_account_id'],
      draft: copy['draft'],
    });
    expect(answer.status).toBe(201);
    expect(await storedTemplates(service(), 'to_open')).toHaveLength(2);
  });
});

describe('the rights', () => {
  it.each([
    ['GET', `${DRAFTS}/start`],
    ['GET', DRAFTS],
    ['PUT', `${DRAFTS}/x`],
    ['POST', TEMPLATES],
    ['PATCH', `${TEMPLATES}/1`],
    ['DELETE', `${TEMPLATES}/1`],
    ['POST', '/dashboard/api/uploads/header-sample'],
  ])('do not allow a viewer: %s %s', async (method, path) => {
    const viewer = await dashboardApi(service(), 'viewer');
    expect(await viewer.request(method, path)).toBeError(403, 'FORBIDDEN');
  });

  it('allow only its own tenant to see, edit, copy or delete a template', async () => {
    const [theirs] = await storedTemplates(service(), 'theirs');
    const { id } = theirs!;
    expect(await editor.get(`${DRAFTS}/start?template_id=${id}`)).toBeError(404, 'TEMPLATE_NOT_FOUND');
    expect(await editor.get(`${DRAFTS}/start?copy=${id}`)).toBeError(404, 'TEMPLATE_NOT_FOUND');
    expect(await send(editor, 'PATCH', `${TEMPLATES}/${id}`, { draft: draft() })).toBeError(
      404,
      'TEMPLATE_NOT_FOUND',
    );
    expect(await send(editor, 'DELETE', `${TEMPLATES}/${id}`)).toBeError(404, 'TEMPLATE_NOT_FOUND');
    expect(await editor.get(`${DRAFTS}/start?template_id=99999999999`)).toBeError(400, 'VALIDATION_FAILED');
  });

  it('allow only its own tenant to submit to a business account', async () => {
    const body = { business_account_id: other.businessAccountId, draft: draft({ name: 'a' }) };
    expect(await editor.post(TEMPLATES, body)).toBeError(404, 'ACCOUNT_NOT_FOUND');
  });
});

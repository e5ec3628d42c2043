import { afterEach, describe, expect, it } from '@jest/globals';
import {
  answering,
  clientFor,
  closeAll,
  CREDENTIALS,
  failure,
  json,
  provider,
  rawProvider,
  TOKEN,
} from '../../test/support/provider-stubs.js';
import type { ProviderClient } from './provider.client.js';
import type { WireTemplateDraft } from './wire.js';

afterEach(closeAll);

const template = (id: number | string) => `{"id":${id},"name":"t","components":[]}`;
const list = (client: ProviderClient) => client.listTemplates(CREDENTIALS, '102290129340398');

describe('listing templates', () => {
  it('follows every page by its cursor, on the host it knows', async () => {
    const stranger = await provider((_, response) => json(response, 200, { data: [] }));
    const { url, received } = await provider((request, response) => {
      const after = new URL(request.url, 'http://x').searchParams.get('after');
      const page = after === null ? 1 : Number(after.slice(-1)) + 1;
      const next = page < 3 ? `,"next":"${stranger.url}/steal?access_token=${TOKEN}"` : '';
      // The last page has a cursor too, but no `next`.
      const paging = `{"cursors":{"before":"b","after":"c&=${page}"}${next}}`;
      response.end(`{"data":[${template(page)},${template(`"${page}0"`)}],"paging":${paging}}`);
    });
    const templates = await list(clientFor(url));
    expect(templates.map(({ id }) => id)).toEqual(['1', '10', '2', '20', '3', '30']);
    expect(stranger.received).toHaveLength(0);
    const first = new URL(received[0]!.url, 'http://x');
    expect(first.pathname).toBe('/v25.0/102290129340398/message_templates');
    expect(Number(first.searchParams.get('limit'))).toBeGreaterThanOrEqual(100);
    expect(first.searchParams.get('fields')!.split(',')).toEqual(
      expect.arrayContaining(['id', 'name', 'language', 'status', 'category', 'components', 'quality_score']),
    );
    expect(received.map((request) => request.headers.authorization)).toEqual(
      Array(3).fill(`Bearer ${TOKEN}`),
    );
  });

  it('keeps the 17 digits of an id, as a number or a text', async () => {
    const data = `[${template('12345678901234567')},${template('"12345678901234569"')},${template('123456789012345')}]`;
    const { url } = await provider((_, response) => response.end(`{"data":${data}}`));
    const templates = await list(clientFor(url));
    expect(templates.map(({ id }) => id)).toEqual([
      '12345678901234567',
      '12345678901234569',
      '123456789012345',
    ]);
  });

  it.each([
    { name: 'repeats a cursor', paging: { cursors: { after: 'same' }, next: 'http://x/' } },
    { name: 'has a next page but no cursor', paging: { next: 'http://x/' } },
  ])('throws when a page $name, rather than return a part', async ({ paging }) => {
    const { client, received } = await answering(200, { data: [], paging });
    await expect(failure(list(client))).resolves.toMatchObject({ errorClass: 'transient' });
    expect(received.length).toBeLessThanOrEqual(2);
  });

  it('ends even when the pages of the provider never end', async () => {
    let page = 0;
    const { url } = await provider((_, response) =>
      json(response, 200, { data: [], paging: { cursors: { after: `c${page++}` }, next: 'http://x/' } }),
    );
    const error = await failure(list(clientFor(url)));
    expect(error.details).toBe('TEMPLATE_LIST_WITHOUT_END');
    expect(page).toBe(500);
  });

  it.each([{}, { data: null }, { data: {} }])('throws for %j', async (body) => {
    const { client } = await answering(200, body);
    await expect(failure(list(client))).resolves.toMatchObject({ errorClass: 'transient' });
  });

  it('is a transient fault when no answer comes, as reading again harms nobody', async () => {
    const url = await rawProvider((socket) => socket.resetAndDestroy());
    await expect(failure(list(clientFor(url)))).resolves.toMatchObject({ errorClass: 'transient' });
  });
});

describe('changing templates', () => {
  const draft: WireTemplateDraft = {
    name: 'n',
    category: 'UTILITY',
    language: 'en_US',
    components: [{ type: 'BODY', text: 'Hi', added_by_provider: 1 }],
  };

  it('creates a template', async () => {
    const { url, received } = await provider((_, response) =>
      response.end('{"id":12345678901234567,"status":"PENDING","category":"UTILITY"}'),
    );
    await expect(clientFor(url).createTemplate(CREDENTIALS, '1', draft)).resolves.toEqual({
      id: '12345678901234567',
      status: 'PENDING',
      category: 'UTILITY',
    });
    expect(received[0]).toMatchObject({ method: 'POST', url: '/v25.0/1/message_templates' });
    expect(JSON.parse(received[0]!.body.toString())).toEqual(draft);
  });

  it('passes on what the provider says to the person at the editor', async () => {
    const { client } = await answering(400, {
      error: {
        message: 'Invalid parameter',
        code: 100,
        error_subcode: 2388293,
        error_user_title: 'Too many variables',
        error_user_msg: 'Reduce the number of variables.',
      },
    });
    await expect(failure(client.createTemplate(CREDENTIALS, '1', draft))).resolves.toMatchObject({
      subcode: 2388293,
      userTitle: 'Too many variables',
      userMessage: 'Reduce the number of variables.',
    });
  });

  it('edits a template', async () => {
    const { client, received } = await answering(200, { success: true });
    await client.editTemplate(CREDENTIALS, '777', { components: draft.components });
    expect(received[0]).toMatchObject({ method: 'POST', url: '/v25.0/777' });
    expect(JSON.parse(received[0]!.body.toString())).toEqual({ components: draft.components });
  });

  it.each([
    { which: { name: 'a b' }, query: '?name=a+b' },
    { which: { name: 'n', templateId: '777' }, query: '?hsm_id=777&name=n' },
  ])('deletes $which', async ({ which, query }) => {
    const { client, received } = await answering(200, { success: true });
    await client.deleteTemplate(CREDENTIALS, '1', which);
    expect(received[0]).toMatchObject({ method: 'DELETE', url: `/v25.0/1/message_templates${query}` });
  });

  it('does not take success: false for success', async () => {
    const { client } = await answering(200, { success: false });
    await expect(failure(client.deleteTemplate(CREDENTIALS, '1', { name: 'n' }))).resolves.toMatchObject({
      details: 'NOT_CONFIRMED',
    });
  });
});

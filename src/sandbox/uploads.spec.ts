import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WireTemplate } from '../provider/wire.js';
import { APP, NUMBER, SandboxFixture, TOKEN, WABA } from './spec-support.js';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 10, 13]);

describe('An upload', () => {
  const fixture = new SandboxFixture();
  beforeAll(() => fixture.start());
  afterAll(() => fixture.stop());

  async function open(): Promise<string> {
    const query = `file_name=a.png&file_length=${PNG.length}&file_type=image/png`;
    const { body } = await fixture.graph('POST', `${APP}/uploads?${query}`);
    return (body as unknown as { id: string }).id;
  }

  async function put(
    path: string,
    offset: string,
    bytes: Buffer = PNG,
  ): Promise<{ h?: string; error?: unknown }> {
    const response = await fetch(`${fixture.url}/v25.0/${path}`, {
      method: 'POST',
      headers: { authorization: `OAuth ${TOKEN}`, file_offset: offset },
      body: new Uint8Array(bytes),
    });
    return (await response.json()) as { h?: string };
  }

  it.each([
    ['as it is', (id: string) => id],
    ['URL-encoded', encodeURIComponent],
  ])(
    'goes to its id, written %s, and gives a handle that the template shows as a URL',
    async (what, spell) => {
      const id = await open();
      expect(id).toMatch(/^upload:/);
      const { h } = await put(spell(id), '0');
      const created = await fixture.graph('POST', `${WABA}/message_templates`, {
        name: what.startsWith('URL') ? 'encoded' : 'plain',
        language: 'en',
        category: 'MARKETING',
        components: [
          { type: 'HEADER', format: 'IMAGE', example: { header_handle: [h] } },
          { type: 'BODY', text: 'Look at this.' },
        ],
      });
      const { body } = await fixture.graph('GET', (created.body as unknown as { id: string }).id);
      const sample = (body as unknown as WireTemplate).components[0]?.example?.header_handle?.[0] ?? '';
      expect(Buffer.from(await (await fetch(sample)).arrayBuffer())).toEqual(PNG);
      // An editor submits the sample like this when it was left alone.
      const copied = await fixture.graph('POST', `${WABA}/message_templates`, {
        name: `copy_of_${what.startsWith('URL') ? 'encoded' : 'plain'}`,
        language: 'en',
        category: 'MARKETING',
        components: [
          { type: 'HEADER', format: 'IMAGE', example: { header_handle: [sample] } },
          { type: 'BODY', text: 'Look at this.' },
        ],
      });
      expect(copied.body.error).toBeUndefined();
    },
  );

  it('can be opened with a JSON body as well', async () => {
    const { body } = await fixture.graph('POST', `${APP}/uploads`, {
      file_name: 'a.png',
      file_length: PNG.length,
      file_type: 'image/png',
    });
    await expect(put((body as unknown as { id: string }).id, '0')).resolves.toHaveProperty('h');
  });

  it.each([
    ['an invention', '4:aW1hZ2UvcG5n:ARZinvented'],
    ['a link', 'https://shop.example/a.png'],
  ])('that was never made is refused as a sample: %s', async (_what, handle) => {
    const answer = await fixture.graph('POST', `${WABA}/message_templates`, {
      name: 'invented',
      language: 'en',
      category: 'MARKETING',
      components: [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } },
        { type: 'BODY', text: 'Look at this.' },
      ],
    });
    expect(answer.body.error).toMatchObject({ code: 131009, error_subcode: 2494102 });
  });

  it('may come in parts, and tells how much has come', async () => {
    const id = await open();
    await expect(put(id, '0', PNG.subarray(0, 3))).resolves.toHaveProperty('error');
    await expect(fixture.graph('GET', id)).resolves.toMatchObject({ body: { file_offset: 3 } });
    await expect(put(id, '0')).resolves.toHaveProperty('error');
    await expect(put(id, '3', PNG.subarray(3))).resolves.toHaveProperty('h');
  });

  it.each(['file_type=image/png', 'file_length=9&file_type=text/html', 'file_length=-1&file_type=image/png'])(
    'is not opened for %s',
    async (query) => {
      const answer = await fixture.graph('POST', `${APP}/uploads?${query}`);
      expect([answer.status, answer.body.error.code]).toEqual([400, 100]);
    },
  );

  it('of media is a multipart form and gives an id', async () => {
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('file', new Blob([PNG], { type: 'image/png' }), 'a.png');
    const headers = { authorization: `Bearer ${TOKEN}` };
    const url = `${fixture.url}/v25.0/${NUMBER}/media`;
    const response = await fetch(url, { method: 'POST', headers, body: form });
    const { id } = (await response.json()) as { id: string };
    expect(id).toMatch(/^\d{15,17}$/);
    const stored = await fetch(`${fixture.url}/files/${id}`);
    expect([stored.headers.get('content-type'), (await stored.arrayBuffer()).byteLength]).toEqual([
      'image/png',
      8,
    ]);
    const garbage = await fetch(url, { method: 'POST', headers, body: 'garbage' });
    expect(garbage.status).toBe(400);
  });

  it('of media has a type, a size and an address until it is deleted', async () => {
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('file', new Blob([PNG], { type: 'image/png' }), 'a.png');
    const headers = { authorization: `Bearer ${TOKEN}` };
    const uploaded = await fetch(`${fixture.url}/v25.0/${NUMBER}/media`, {
      method: 'POST',
      headers,
      body: form,
    });
    const { id } = (await uploaded.json()) as { id: string };
    const { body } = await fixture.graph('GET', id);
    expect(body).toEqual({
      messaging_product: 'whatsapp',
      id,
      mime_type: 'image/png',
      file_size: PNG.length,
      sha256: createHash('sha256').update(PNG).digest('hex'),
      url: expect.stringMatching(/^http/),
    });
    const file = await fetch((body as unknown as { url: string }).url, { headers });
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PNG);
    const ofNumber = (number: string) => fixture.graph('GET', `${id}?phone_number_id=${number}`);
    await expect(ofNumber(NUMBER)).resolves.toMatchObject({ status: 200 });
    await expect(ofNumber('7')).resolves.toMatchObject({ status: 400, body: { error: { code: 100 } } });
    await expect(fixture.graph('DELETE', id)).resolves.toMatchObject({ body: { success: true } });
    await expect(fixture.graph('GET', id)).resolves.toMatchObject({ body: { error: { code: 100 } } });
    await expect(fixture.graph('DELETE', id)).resolves.toMatchObject({ body: { error: { code: 100 } } });
  });

  it('that is not known is shown as a picture that says so', async () => {
    const response = await fetch(`${fixture.url}/files/nothing`);
    expect(response.headers.get('content-type')).toContain('image/svg+xml');
  });
});

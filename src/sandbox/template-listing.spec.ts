import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WireTemplate } from '../provider/wire.js';
import { type Answer, SandboxFixture, WABA, template } from './spec-support.js';

const LIST = `${WABA}/message_templates`;

interface Page {
  data: WireTemplate[];
  paging?: { cursors: { before: string; after: string }; next?: string };
}

const pageOf = ({ body }: Answer) => body as unknown as Page;

const fixture = new SandboxFixture();
beforeAll(() => fixture.start());
afterAll(() => fixture.stop());

async function everyPage(query: string): Promise<Page[]> {
  const pages = [pageOf(await fixture.graph('GET', `${LIST}?${query}`))];
  for (let next = pages[0]?.paging?.next; next; next = pages.at(-1)?.paging?.next) {
    pages.push(pageOf(await fixture.call('GET', next)));
  }
  return pages;
}

describe('The template list', () => {
  beforeAll(() => {
    for (let count = 0; count < 60; count += 1) {
      const name = `listed_${String(count).padStart(2, '0')}`;
      fixture.sandbox.addTemplate(WABA, template(name, { status: count % 2 ? 'APPROVED' : 'PAUSED' }));
    }
  });

  it('comes in pages of 25, each naming the next by its full URL', async () => {
    const pages = await everyPage('name=listed_');
    expect(pages.map(({ data }) => data.length)).toEqual([25, 25, 10]);
    const names = pages.flatMap(({ data }) => data.map(({ name }) => name));
    expect(new Set(names).size).toBe(60);
    expect(pages[2]?.paging).not.toHaveProperty('next');
    expect(pages[2]?.paging?.cursors).toEqual({ before: expect.any(String), after: expect.any(String) });
  });

  it('keeps fields, status and limit on every page', async () => {
    const pages = await everyPage('name=listed_&status=PAUSED&limit=20&fields=name,status');
    expect(pages.map(({ data }) => data.length)).toEqual([20, 10]);
    expect(pages.flatMap(({ data }) => data)).toContainEqual({
      id: expect.stringMatching(/^\d{15,17}$/),
      name: 'listed_58',
      status: 'PAUSED',
    });
  });

  it('goes on after a cursor whose template is gone', async () => {
    const first = pageOf(await fixture.graph('GET', `${LIST}?name=listed_&limit=2`));
    const last = first.data[1]?.name ?? '';
    await fixture.graph('DELETE', `${LIST}?name=${last}`);
    const next = pageOf(await fixture.call('GET', first.paging?.next ?? ''));
    expect(next.data[0]?.name).toBe('listed_02');
  });

  it.each(['limit=0', 'limit=x', 'after=nonsense', 'fields=name,wishes'])('refuses %s', async (query) => {
    const answer = await fixture.graph('GET', `${LIST}?${query}`);
    expect([answer.status, answer.body.error.code]).toEqual([400, 100]);
  });

  it('has no page for what does not match', async () => {
    await expect(fixture.graph('GET', `${LIST}?name=absent`)).resolves.toMatchObject({ body: { data: [] } });
  });
});

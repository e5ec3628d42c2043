import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WireTemplate } from '../provider/wire.js';
import { type Answer, SandboxFixture, WABA, template } from './spec-support.js';

const LIST = `${WABA}/message_templates`;

interface Page {
  data: WireTemplate[];
  paging?: { cursors: { before: string; after: string }; next?: string; previous?: string };
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

  beforeAll(() => {
    const zebra = [{ type: 'BODY', text: 'Look, a zebra.' }];
    const green = { score: 'GREEN' };
    const { sandbox } = fixture;
    sandbox.addTemplate(WABA, template('filter_approved', { category: 'MARKETING', language: 'de' }));
    sandbox.addTemplate(
      WABA,
      template('filter_paused', { status: 'PAUSED', components: zebra, quality_score: { score: 'RED' } }),
    );
    sandbox.addTemplate(WABA, template('filter_disabled', { status: 'DISABLED', quality_score: green }));
    sandbox.addTemplate(WABA, template('filter_zebra', { status: 'REJECTED' }));
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

  it('goes on from a cursor whose template was deleted', async () => {
    const first = pageOf(await fixture.graph('GET', `${LIST}?name=listed_&limit=2`));
    const last = first.data[1]?.name ?? '';
    await fixture.graph('DELETE', `${LIST}?name=${last}`);
    const next = pageOf(await fixture.call('GET', first.paging?.next ?? ''));
    expect(next.data[0]?.name).toBe('listed_02');
  });

  it.each([
    ['several statuses', 'status=PAUSED,DISABLED', ['filter_disabled', 'filter_paused']],
    ['statuses as JSON', 'status=["PAUSED","DISABLED"]', ['filter_disabled', 'filter_paused']],
    ['statuses one by one', 'status[0]=PAUSED&status[1]=DISABLED', ['filter_disabled', 'filter_paused']],
    ['a repeated status', 'status=PAUSED&status=DISABLED', ['filter_disabled', 'filter_paused']],
    ['a quality', 'quality_score=GREEN', ['filter_disabled']],
    [
      'qualities',
      'quality_score=GREEN,UNKNOWN&status=APPROVED,DISABLED',
      ['filter_approved', 'filter_disabled'],
    ],
    ['a category and a language', 'category=MARKETING&language=de,fr', ['filter_approved']],
    ['a part of the text', 'content=ZEBRA', ['filter_paused']],
    ['a part of the name or of the text', 'name_or_content=zebra', ['filter_paused', 'filter_zebra']],
  ])('is filtered by %s', async (_what, query, names) => {
    const page = pageOf(await fixture.graph('GET', `${LIST}?name=filter_&${encodeURI(query)}`));
    expect(page.data.map(({ name }) => name).toSorted()).toEqual(names);
  });

  it('leads back to the page before', async () => {
    const first = pageOf(await fixture.graph('GET', `${LIST}?name=listed_&limit=5`));
    expect(first.paging).not.toHaveProperty('previous');
    const second = pageOf(await fixture.call('GET', first.paging?.next ?? ''));
    const back = pageOf(await fixture.call('GET', second.paging?.previous ?? ''));
    expect(back.data).toEqual(first.data);
  });

  it('shows the usual fields, and leaves out a real one that the sandbox does not know', async () => {
    const usual = pageOf(await fixture.graph('GET', `${LIST}?name=filter_disabled`)).data[0] ?? {};
    expect(Object.keys(usual).toSorted()).toEqual([
      'category',
      'components',
      'id',
      'language',
      'name',
      'status',
    ]);
    const fields = 'quality_score{score,date},last_updated_time';
    const asked = pageOf(await fixture.graph('GET', `${LIST}?name=filter_disabled&fields=${fields}`)).data;
    expect(asked).toEqual([{ id: expect.any(String), quality_score: { score: 'GREEN' } }]);
  });

  it.each([
    'limit=0',
    'limit=x',
    'after=nonsense',
    'fields=name,wishes',
    'status=HAPPY',
    'quality_score=GREEN,BLUE',
  ])('refuses %s', async (query) => {
    const answer = await fixture.graph('GET', `${LIST}?${query}`);
    expect([answer.status, answer.body.error.code]).toEqual([400, 100]);
  });

  it('has no page when no template matches', async () => {
    await expect(fixture.graph('GET', `${LIST}?name=absent`)).resolves.toMatchObject({ body: { data: [] } });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MovableClock } from '../common/clock.js';
import type { WireTemplate } from '../provider/wire.js';
import { SandboxFixture, TOKEN, WABA, draft, eventually, template } from './spec-support.js';

const LIST = `${WABA}/message_templates`;
const HOUR = 3600 * 1000;

const clock = new MovableClock();
const fixture = new SandboxFixture({ clock, limits: false });
beforeAll(() => fixture.start());
afterAll(() => fixture.stop());

async function create(body: object): Promise<string> {
  const answer = await fixture.graph('POST', LIST, body);
  expect(answer.body.error).toBeUndefined();
  return (answer.body as unknown as { id: string }).id;
}

async function statusOf(id: string): Promise<string> {
  return ((await fixture.graph('GET', id)).body as unknown as WireTemplate).status;
}

async function createReviewed(name: string): Promise<string> {
  const id = await create(draft(name));
  await eventually(async () => (await statusOf(id)) !== 'PENDING');
  return id;
}

const eventsOf = (name: string) =>
  fixture.receiver
    .values('message_template_status_update')
    .filter((value) => value.message_template_name === name)
    .map(({ event }) => event);

const edit = (id: string, text: string, more: object = {}) =>
  fixture.graph('POST', id, { components: [{ type: 'BODY', text }], ...more });

describe('A template', () => {
  it('is edited and reviewed again, and a webhook tells its new content', async () => {
    const id = await createReviewed('edited');
    await expect(edit(id, 'Thank you very much.')).resolves.toMatchObject({ body: { success: true } });
    const value = await eventually(() => fixture.receiver.values('message_template_components_update')[0]);
    expect(value).toMatchObject({ message_template_element: 'Thank you very much.' });
    await expect(statusOf(id)).resolves.toBe('APPROVED');
  });

  it('that is approved may be edited once in 24 hours and 10 times in 30 days', async () => {
    const id = await createReviewed('edited_often');
    const accepted: boolean[] = [];
    const tryEdit = async () => {
      const { status } = await edit(id, 'Thank you once more.');
      await eventually(async () => (await statusOf(id)) === 'APPROVED');
      accepted.push(status === 200);
    };
    await tryEdit();
    await tryEdit();
    for (let day = 0; day < 10; day += 1) {
      clock.forward(25 * HOUR);
      await tryEdit();
    }
    expect(accepted).toEqual([true, false, ...Array<boolean>(9).fill(true), false]);
  });

  it('that is approved keeps its category', async () => {
    const id = await createReviewed('category_kept');
    const { body } = await edit(id, 'Thank you.', { category: 'MARKETING' });
    expect(body.error).toMatchObject({ code: 100, error_subcode: 2388039 });
  });

  it('keeps or changes its time to live when it is edited, and loses it when its category changes', async () => {
    const timeToLive = async (id: string) => {
      const { body } = await fixture.graph('GET', `${id}?fields=message_send_ttl_seconds`);
      return (body as unknown as WireTemplate).message_send_ttl_seconds;
    };
    const id = await create(draft('rejected_brief', { message_send_ttl_seconds: 600 }));
    const rejected = () => eventually(async () => (await statusOf(id)) === 'REJECTED');
    await rejected();
    await edit(id, 'Thank you.');
    await expect(timeToLive(id)).resolves.toBe(600);
    await rejected();
    await edit(id, 'Thank you.', { message_send_ttl_seconds: -1 });
    await expect(timeToLive(id)).resolves.toBe(-1);
    await rejected();
    const { body } = await edit(id, 'Thank you.', { message_send_ttl_seconds: 43_201 });
    expect(body.error).toMatchObject({ code: 100, error_user_title: 'Time to live is not valid' });
    await fixture.call('POST', `/control/templates/${id}/category`, { category: 'MARKETING' });
    await expect(timeToLive(id)).resolves.toBeNull();
  });

  it.each(['PENDING', 'DISABLED', 'IN_APPEAL'])('that is %s cannot be edited', async (status) => {
    const { id } = fixture.sandbox.addTemplate(WABA, template(`stuck_${status.toLowerCase()}`, { status }));
    const { body } = await edit(id, 'Thank you.');
    expect(body.error.error_subcode).toBe(2388039);
  });

  it('that is disabled says since when, in seconds', async () => {
    await createReviewed('disabled_since');
    fixture.sandbox.control.setTemplateStatus('disabled_since', 'DISABLED');
    const value = await eventually(() =>
      fixture.receiver
        .values('message_template_status_update')
        .find((update) => update.message_template_name === 'disabled_since' && update.event === 'DISABLED'),
    );
    const { disable_date: date } = value.disable_info as { disable_date: number };
    expect(Math.abs(date - clock.now().getTime() / 1000)).toBeLessThan(60);
  });

  it('that is deleted blocks its name in its language for 30 days', async () => {
    const id = await createReviewed('gone_for_a_month');
    await fixture.graph('DELETE', `${LIST}?name=gone_for_a_month&hsm_id=${id}`);
    const again = () => fixture.graph('POST', LIST, draft('gone_for_a_month'));
    const fault = { code: 100, error_subcode: 2388023, error_user_title: expect.any(String) };
    expect((await again()).body.error).toMatchObject(fault);
    const inGerman = draft('gone_for_a_month', { language: 'de' });
    expect((await fixture.graph('POST', LIST, inGerman)).status).toBe(200);
    clock.forward(29 * 24 * HOUR);
    expect((await again()).body.error).toMatchObject(fault);
    clock.forward(24 * HOUR);
    expect((await again()).status).toBe(200);
  });

  it('is deleted in one language by id and name, or in all by name', async () => {
    const ids = ['en_US', 'de', 'fr'].map(
      (language) => fixture.sandbox.addTemplate(WABA, template('doomed', { language })).id,
    );
    const left = async () => {
      const { body } = await fixture.graph('GET', `${LIST}?name=doomed`);
      return (body as unknown as { data: WireTemplate[] }).data.length;
    };
    await fixture.graph('DELETE', `${LIST}?hsm_id=${ids[0]}&name=doomed`);
    await expect(left()).resolves.toBe(2);
    await fixture.graph('DELETE', `${LIST}?name=doomed`);
    await expect(left()).resolves.toBe(0);
    const { body } = await fixture.graph('DELETE', `${LIST}?name=doomed`);
    expect(body.error).toMatchObject({ code: 100, error_subcode: 2593002 });
    await eventually(() => eventsOf('doomed').length === 3);
  });

  it('is what it was before after an archiving, and can be sent but not edited when it is locked', async () => {
    const { id } = fixture.sandbox.addTemplate(WABA, template('kept'));
    const command = (status: string) => fixture.call('POST', '/control/templates/kept/status', { status });
    for (const event of ['PAUSED', 'ARCHIVED', 'UNARCHIVED']) await command(event);
    expect(await statusOf(id)).toBe('PAUSED');
    for (const event of ['APPROVED', 'LOCKED']) await command(event);
    expect(await statusOf(id)).toBe('APPROVED');
    const { body } = await fixture.graph('POST', id, { category: 'UTILITY' });
    expect(JSON.stringify(body.error)).toContain('that is LOCKED cannot be edited');
  });

  it('changes its status by a control call, by id or by name', async () => {
    const command = (status: string) =>
      fixture.call('POST', '/control/templates/commanded/status', { status });
    const { id } = fixture.sandbox.addTemplate(WABA, template('commanded'));
    const statuses: string[] = [];
    const events = [
      'PAUSED',
      'APPROVED',
      'PAUSED',
      'FLAGGED',
      'REINSTATED',
      'ARCHIVED',
      'UNARCHIVED',
      'DISABLED',
    ];
    for (const event of events) {
      await command(event);
      statuses.push(await statusOf(id));
    }
    expect(statuses).toEqual([
      'PAUSED',
      'APPROVED',
      'PAUSED',
      'PAUSED',
      'APPROVED',
      'ARCHIVED',
      'APPROVED',
      'DISABLED',
    ]);
    const told = await eventually(() => {
      const values = fixture.receiver.values('message_template_status_update');
      const mine = values.filter((value) => value.message_template_name === 'commanded');
      return mine.length === events.length && mine;
    });
    const titles = told.map(({ event, other_info }) => [event, (other_info as { title?: string })?.title]);
    expect(titles).toEqual(
      expect.arrayContaining([
        ['PAUSED', 'FIRST_PAUSE'],
        ['PAUSED', 'SECOND_PAUSE'],
        ['APPROVED', 'UNPAUSE'],
        ['DISABLED', 'DISABLED'],
      ]),
    );
    await expect(command('GONE')).resolves.toMatchObject({ status: 400 });
  });

  it('of red quality is paused, paused again, then disabled', async () => {
    const { id } = fixture.sandbox.addTemplate(WABA, template('disliked'));
    const statuses: string[] = [];
    for (let time = 0; time < 3; time += 1) {
      await fixture.call('POST', `/control/templates/${id}/quality`, { score: 'RED' });
      statuses.push(await statusOf(id));
      if (time < 2) fixture.sandbox.control.setTemplateStatus(id, 'APPROVED');
    }
    expect(statuses).toEqual(['PAUSED', 'PAUSED', 'DISABLED']);
    const [value] = await eventually(() => {
      const values = fixture.receiver.values('message_template_quality_update');
      return values.length > 0 && values;
    });
    expect(value).toMatchObject({ previous_quality_score: 'UNKNOWN', new_quality_score: 'RED' });
  });

  it('is warned of its new category, then gets it', async () => {
    fixture.sandbox.addTemplate(WABA, template('moved'));
    const path = '/control/templates/moved/category';
    await fixture.call('POST', path, { category: 'MARKETING', warning: true });
    await fixture.call('POST', path, { category: 'MARKETING' });
    const values = await eventually(() => {
      const all = fixture.receiver.values('template_category_update');
      return all.length === 2 && all;
    });
    expect(values).toContainEqual(
      expect.objectContaining({ correct_category: 'MARKETING', new_category: 'UTILITY' }),
    );
    expect(values).toContainEqual(
      expect.objectContaining({ previous_category: 'UTILITY', new_category: 'MARKETING' }),
    );
  });

  it('is not shown to another account', async () => {
    const other = { wabaId: '555', appId: '556', accessToken: 'other', appSecret: 's', numbers: [] };
    fixture.sandbox.addBusinessAccount(other);
    const path = `/v25.0/${fixture.sandbox.addTemplate(WABA, template('private')).id}`;
    const { body } = await fixture.call('GET', path, undefined, { authorization: 'Bearer other' });
    expect(body.error.code).toBe(100);
    await expect(
      fixture.call('GET', path, undefined, { authorization: `OAuth ${TOKEN}` }),
    ).resolves.toMatchObject({
      status: 200,
    });
  });
});

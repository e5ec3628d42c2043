import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WireTemplate } from '../provider/wire.js';
import { APP, SandboxFixture, WABA, draft, eventually } from './spec-support.js';

const LIST = `${WABA}/message_templates`;

const fixture = new SandboxFixture({ limits: false });
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

const header = (fields: object) => ({
  components: [
    { type: 'HEADER', ...fields },
    { type: 'BODY', text: 'Thank you for your order.' },
  ],
});
const buttons = (...list: object[]) => ({
  components: [
    { type: 'BODY', text: 'Thank you for your order.' },
    { type: 'BUTTONS', buttons: list },
  ],
});

const footer = (text: string) => ({
  components: [
    { type: 'BODY', text: 'Thank you for your order.' },
    { type: 'FOOTER', text },
  ],
});

describe('A new template', () => {
  it('is PENDING, then APPROVED, and a webhook says so', async () => {
    const answer = await fixture.graph('POST', LIST, draft('welcome'));
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^\d{15,17}$/),
      status: 'PENDING',
      category: 'UTILITY',
    });
    await eventually(() => eventsOf('welcome').includes('APPROVED'));
    const change = fixture.receiver
      .values('message_template_status_update')
      .find((value) => value.message_template_name === 'welcome');
    expect(change).toMatchObject({ event: 'APPROVED', message_template_language: 'en-US', reason: 'NONE' });
  });

  it('is REJECTED with a reason when its name says "reject"', async () => {
    const id = await createReviewed('please_reject_me');
    const { body } = await fixture.graph('GET', `${id}?fields=status,rejected_reason`);
    expect(body).toMatchObject({ status: 'REJECTED', rejected_reason: 'INVALID_FORMAT' });
    const value = await eventually(() =>
      fixture.receiver.values('message_template_status_update').find(({ event }) => event === 'REJECTED'),
    );
    expect(value).toMatchObject({
      reason: 'INVALID_FORMAT',
      rejection_info: { recommendation: expect.any(String) },
    });
  });

  const reply = { type: 'QUICK_REPLY', text: 'Yes' };
  const url = { type: 'URL', text: 'Open', url: 'https://shop.example' };
  it.each([
    ['a body that is too long', 2388040, draft('x', {}, 'word '.repeat(300))],
    ['a variable at the start', 2388299, draft('x', {}, '{{1}} is your order number, thank you.')],
    ['a variable at the end', 2388299, draft('x', {}, 'Thank you for order number {{1}}')],
    ['a gap in the numbering', 2388072, draft('x', {}, 'Thank you, your order {{2}} is on its way.')],
    [
      'variables side by side',
      2388072,
      draft('x', {}, 'Thank you, your order {{1}} {{2}} is on its way now.'),
    ],
    [
      'an example that is missing',
      2388072,
      draft('x', { components: [{ type: 'BODY', text: 'Your order {{1}} is on its way.' }] }),
    ],
    ['too many variables for its length', 2388293, draft('x', {}, 'Hi {{1}} ok')],
    ['no body', 2388072, draft('x', { components: [] })],
    ['a header that is too long', 2388040, draft('x', header({ format: 'TEXT', text: 'x'.repeat(61) }))],
    ['two variables in the header', 2388047, draft('x', header({ format: 'TEXT', text: '{{1}} and {{2}}' }))],
    ['a media header without a sample', 2388047, draft('x', header({ format: 'IMAGE' }))],
    ['a footer that is too long', 2388040, draft('x', footer('x'.repeat(61)))],
    ['a variable in the footer', 2388073, draft('x', footer('Bye {{1}}'))],
    ['a label that is too long', 2388040, draft('x', buttons({ ...reply, text: 'x'.repeat(26) }))],
    [
      'a URL that is too long',
      2388040,
      draft('x', buttons({ ...url, url: `https://a.example/${'x'.repeat(2000)}` })),
    ],
    ['eleven buttons', undefined, draft('x', buttons(...Array.from({ length: 11 }, () => reply)))],
    ['three URL buttons', undefined, draft('x', buttons(url, url, url))],
    ['quick replies apart', undefined, draft('x', buttons(reply, url, reply))],
    [
      'a URL variable in the middle',
      undefined,
      draft('x', buttons({ ...url, url: 'https://a.example/{{1}}/b', example: ['7'] })),
    ],
    ['a name in capitals', undefined, draft('Welcome')],
    ['an unknown category', undefined, draft('x', { category: 'SPAM' })],
    ['a language that is none', undefined, draft('x', { language: 'English' })],
    ['a language that the provider has not', undefined, draft('x', { language: 'en_FR' })],
    ['a name and language that exist', 2388024, draft('order_update')],
    ['components that are no list', undefined, draft('x', { components: { type: 'BODY' } })],
    ['buttons that are no list', undefined, draft('x', { components: [{ type: 'BUTTONS', buttons: 7 }] })],
    ['nothing in it', undefined, []],
  ])('is refused with %s', async (_what, subcode, body) => {
    const { status, body: answer } = await fixture.graph('POST', LIST, body);
    expect(status).toBe(400);
    expect(answer.error).toMatchObject({
      code: 100,
      error_user_title: expect.any(String),
      error_user_msg: expect.any(String),
    });
    expect(answer.error.error_subcode).toBe(subcode);
  });

  it('is refused when the account has as many templates as it may have', async () => {
    fixture.sandbox.addBusinessAccount({
      wabaId: '555',
      appId: APP,
      accessToken: 'small',
      appSecret: 's',
      numbers: [],
      templateLimit: 1,
    });
    const headers = { authorization: 'Bearer small' };
    await fixture.call('POST', '/v25.0/555/message_templates', draft('one'), headers);
    const { body } = await fixture.call('POST', '/v25.0/555/message_templates', draft('two'), headers);
    expect(body.error.error_subcode).toBe(2388019);
  });

  it('for authentication gets its texts from the provider', async () => {
    const components = [
      { type: 'body', add_security_recommendation: true },
      { type: 'footer', code_expiration_minutes: 5 },
      { type: 'buttons', buttons: [{ type: 'otp', otp_type: 'COPY_CODE', text: 'Copy' }] },
    ];
    const id = await create(draft('code', { category: 'AUTHENTICATION', components }));
    const { body } = await fixture.graph('GET', id);
    expect((body as unknown as WireTemplate).components).toMatchObject([
      { type: 'BODY', text: '*{{1}}* is your verification code. For your security, do not share this code.' },
      { type: 'FOOTER', text: 'This code expires in 5 minutes.' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy', url: expect.stringMatching(/\{\{1\}\}$/) }] },
    ]);
  });
});

describe('The time to live of a new template', () => {
  const code = [{ type: 'BODY' }, { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] }];
  const post = (category: string, message_send_ttl_seconds: unknown) => {
    const name = `lives_${category.toLowerCase()}_${String(message_send_ttl_seconds).replace(/\W/, '_')}`;
    const components = category === 'AUTHENTICATION' ? { components: code } : {};
    return fixture.graph('POST', LIST, draft(name, { category, message_send_ttl_seconds, ...components }));
  };

  it.each([
    ['AUTHENTICATION', 30],
    ['AUTHENTICATION', 900],
    ['AUTHENTICATION', -1],
    ['UTILITY', 43_200],
    ['UTILITY', -1],
    ['MARKETING', 43_200],
    ['MARKETING', 2_592_000],
  ])('in %s may be %i', async (category, seconds) => {
    expect((await post(category, seconds)).status).toBe(200);
  });

  it.each([
    ['AUTHENTICATION', 29],
    ['AUTHENTICATION', 901],
    ['UTILITY', 43_201],
    ['UTILITY', 60.5],
    ['UTILITY', '60'],
    ['MARKETING', 43_199],
    ['MARKETING', -1],
  ])('in %s may not be %p', async (category, seconds) => {
    expect((await post(category, seconds)).body.error).toMatchObject({
      code: 100,
      error_user_msg: expect.stringContaining('message_send_ttl_seconds'),
    });
  });
});

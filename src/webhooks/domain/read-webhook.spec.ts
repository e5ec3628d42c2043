import { describe, expect, it } from '@jest/globals';
import { accountsNamed, partOfWebhook, readWebhook } from './read-webhook.js';

const RECEIVED = new Date('2026-11-21T12:00:00Z');

const delivery = (field: string, value: unknown) =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '1022', changes: [{ field, value }] }],
  });
const statuses = (...list: unknown[]) => readWebhook(delivery('messages', { statuses: list }), RECEIVED);

describe('Reading a webhook', () => {
  it('finds receipts with the tag that was sent along', () => {
    const status = {
      id: 'wamid.1',
      status: 'delivered',
      timestamp: '1790000000',
      biz_opaque_callback_data: '42',
    };
    expect(statuses(status)).toEqual([
      expect.objectContaining({
        kind: 'receipt',
        wabaId: '1022',
        tag: '42',
        providerMessageId: 'wamid.1',
        status: 'delivered',
        occurredAt: new Date(1_790_000_000_000),
        error: null,
      }),
    ]);
  });

  it('tells sender and recipient, with the ids of users who have a username', () => {
    const status = { id: 'wamid.1', status: 'sent', recipient_id: '12025550102', recipient_user_id: 'US.1' };
    const value = {
      metadata: { phone_number_id: '1065' },
      contacts: [{ wa_id: '12025550102', user_id: 'US.1', profile: { name: 'Amal' } }],
      statuses: [status, { id: 'wamid.2', status: 'sent' }],
    };
    const [known, unknown] = readWebhook(delivery('messages', value), RECEIVED);
    expect(known).toMatchObject({
      phoneNumberId: '1065',
      recipient: '12025550102',
      details: { recipient_id: '12025550102', recipient_user_id: 'US.1', wa_id: '12025550102' },
    });
    expect(JSON.stringify(known)).not.toContain('Amal');
    expect(unknown).toMatchObject({ tag: null, phoneNumberId: '1065', recipient: null });
  });

  it.each([['soon'], [undefined], ['-5'], ['99999999999999'], [null]])(
    'uses the time of arrival in place of the timestamp %s',
    (timestamp) => {
      expect(statuses({ id: 'wamid.1', status: 'sent', timestamp })[0]).toMatchObject({
        occurredAt: RECEIVED,
      });
    },
  );

  it('reads the first error of a failure', () => {
    const errors = [
      { code: 131026, title: 'Message undeliverable', error_data: { details: 'Why' } },
      { code: 1 },
    ];
    expect(statuses({ id: 'wamid.1', status: 'failed', errors })[0]).toMatchObject({
      error: { code: 131026, title: 'Message undeliverable', details: 'Why' },
    });
  });

  it.each([[undefined], [[]], [['text']], [[{ code: 'x' }]], [[{ code: 1e12 }]], [{ code: 1 }]])(
    'reads a failure even with the errors %j',
    (errors) => {
      expect(statuses({ id: 'wamid.1', status: 'failed', errors })[0]).toMatchObject({
        error: { code: null, title: 'Not delivered' },
      });
    },
  );

  it('reads a value that is no number as none, even when it cannot be converted', () => {
    const odd = { toString: 1 };
    const receipt = { id: 'wamid.1', status: 'failed', timestamp: odd, errors: [{ code: odd }] };
    expect(statuses(receipt)[0]).toMatchObject({ occurredAt: RECEIVED, error: { code: null } });
  });

  it('leaves out an entry that is no receipt, and keeps the receipts beside it', () => {
    expect(statuses(null, 7, {}, { id: 5, status: 'sent' }, { id: 'wamid.1', status: 'sent' })).toHaveLength(
      1,
    );
  });

  it('keeps every digit of an id of 17 digits', () => {
    const text = delivery('message_template_status_update', { message_template_id: 0 }).replace(
      ':0}',
      ':12345678901234567}',
    );
    expect(readWebhook(text, RECEIVED)).toEqual([
      {
        kind: 'field',
        occurredAt: null,
        wabaId: '1022',
        field: 'message_template_status_update',
        value: { message_template_id: '12345678901234567' },
      },
    ]);
  });

  it.each(['{}', 'null', '[]', '7', '{"entry":7}', '{"entry":[7]}', '{"entry":[{"changes":[null]}]}'])(
    'finds nothing in %s',
    (text) => {
      expect(readWebhook(text, RECEIVED)).toEqual([]);
    },
  );
});

describe('The accounts of a delivery', () => {
  const change = { field: 'account_update', value: { event: 'ACCOUNT_DELETED' } };

  it.each<[string, unknown, string[]]>([
    ['each once', [{ id: '1' }, { id: '2', changes: [change] }, { id: 1 }], ['1', '2']],
    [
      'the one that a partner’s event is about',
      [{ id: '9', changes: [{ field: 'account_update', value: { waba_info: { waba_id: '3' } } }] }],
      ['3'],
    ],
    [
      'that of the entry, when another field names one',
      [{ id: '9', changes: [{ field: 'messages', value: { waba_info: { waba_id: '3' } } }] }],
      ['9'],
    ],
    ['an empty text for an entry without an id', [null, {}], ['']],
    ['none without entries', undefined, []],
  ])('are %s', (_what, entry, ids) => {
    expect(accountsNamed({ entry })).toEqual(ids);
  });

  it('are the same ones to which its updates are applied', () => {
    const value = { event: 'PARTNER_REMOVED', waba_info: { waba_id: 3 } };
    const updates = readWebhook(delivery('account_update', value), RECEIVED);
    expect(updates).toMatchObject([{ kind: 'field', wabaId: '3' }]);
  });
});

it('Messages of customers are found beside receipts', () => {
  const value = { statuses: [{ id: 'wamid.1', status: 'sent' }], messages: [{ type: 'text' }, null, {}] };
  const updates = readWebhook(delivery('messages', value), RECEIVED);
  expect(updates.map(({ kind }) => kind)).toEqual(['receipt', 'inbound', 'inbound']);
});

describe('A part of a webhook', () => {
  const status = (id: string) => ({ id, status: 'sent', timestamp: '1790000000' });
  const payload = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      { id: '1', changes: [] },
      {
        id: '2',
        time: 1_790_000_000,
        changes: [
          {
            field: 'messages',
            value: {
              metadata: { phone_number_id: '1065' },
              contacts: [{ wa_id: '1', profile: { name: 'Amal' } }],
              statuses: [status('a'), { id: 5 }, status('b\u0000')],
              messages: [{ type: 'text' }, null, { type: 'image' }],
            },
          },
          { field: 'user_preferences', value: [{ value: 'stop' }] },
          null,
          { field: 'messages', value: [{ type: 'audio' }] },
        ],
      },
      { id: '3', changes: [{ field: 'account_update', value: { waba_info: { waba_id: 'LONG' } } }] },
    ],
  }).replace('"LONG"', '12345678901234567');
  const all = readWebhook(payload, RECEIVED);

  it('gives the same update as the whole webhook', () => {
    expect(all).toHaveLength(7);
    for (const [ordinal, update] of all.entries())
      expect(readWebhook(partOfWebhook(payload, new Set([ordinal])), RECEIVED)).toEqual([update]);
  });

  it('keeps the order of its updates, and can be taken apart again', () => {
    const part = partOfWebhook(payload, new Set([5, 1, 6]));
    expect(readWebhook(part, RECEIVED)).toEqual([all[1], all[5], all[6]]);
    expect(readWebhook(partOfWebhook(part, new Set([1])), RECEIVED)).toEqual([all[5]]);
    expect(partOfWebhook(payload, new Set())).toBe('{"object":"whatsapp_business_account","entry":[]}');
  });

  it.each(['null', '[]', '{"entry":7}'])('of %s is an empty webhook', (text) => {
    expect(JSON.parse(partOfWebhook(text, new Set([0])))).toMatchObject({ entry: [] });
  });
});

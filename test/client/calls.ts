/*
 * A success and an error of every operation, by a client that openapi-typescript has made of openapi.json.
 * typescript-client.spec.ts makes ./api.js beside a copy of this file, checks the types, and runs it.
 */
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { components, operations, paths } from './api.js';
import type { Call, Made, World } from './world.js';

type Schemas = components['schemas'];

let phones = 0;
const freshPhone = () => `+1202555${String((phones += 1)).padStart(2, '0')}02`;

/** Missing ones complain when the types are checked. */
export function callsOf(world: World, made: Made[]): Record<keyof operations, Call> {
  const headers = { Authorization: `Bearer ${world.apiKey}` };
  const client: Client<paths> = createClient<paths>({ baseUrl: world.url, headers });
  const note: Middleware = {
    onResponse: ({ request, response, schemaPath }) =>
      void made.push({ operation: `${request.method} ${schemaPath}`, status: response.status }),
  };
  client.use(note);

  const message = (changes: Partial<Schemas['SendRequest']> = {}): Schemas['SendRequest'] => ({
    messaging_account_id: world.messagingAccountId,
    phone: freshPhone(),
    message_type: 'template',
    data: { name: 'order_update', params: ['Amal', 'A-1001'] },
    ...changes,
  });
  const inAYear = { scheduled_at: `${new Date().getUTCFullYear() + 1}-01-01T10:00:00Z`, timezone: 'UTC' };
  const stranger = { header: { 'X-TENANT-ID': randomUUID() } };

  /** @throws the error of the service, where there is one */
  const dataOf = async <Data>(answer: Promise<{ data?: { data: Data }; error?: unknown }>): Promise<Data> => {
    const { data, error } = await answer;
    if (!data) throw new Error(JSON.stringify(error));
    return data.data;
  };
  const send = async (changes?: Partial<Schemas['SendRequest']>) => {
    const sent = await dataOf(client.POST('/api/v1/messages/send', { body: message(changes) }));
    return { path: { message_log_id: sent.message_log_id } };
  };
  const endpoint = async () => {
    const body = { url: world.endpointUrl };
    const added = await dataOf(client.POST('/api/v1/webhook-endpoints', { body }));
    return { path: { webhook_endpoint_id: added.webhook_endpoint_id } };
  };
  const noMessage = { path: { message_log_id: 999_999_999 } };
  const noEndpoint = { path: { webhook_endpoint_id: randomUUID() } };
  const optedOut = async () => {
    const params = { path: { phone: freshPhone() } };
    await dataOf(client.PUT('/api/v1/opt-outs/{phone}', { params, body: { scope: 'all' } }));
    return params;
  };
  const cursor = async (): Promise<string> => {
    await send();
    const query = { wait: 20 };
    const { data } = await client.GET('/api/v1/events', { params: { query } });
    return data?.next_cursor ?? '';
  };

  return {
    listTemplates: {
      success: async () => {
        const query = { messaging_account_id: world.messagingAccountId, status: 'APPROVED' as const };
        const templates = await dataOf(client.GET('/api/v1/templates', { params: { query } }));
        const found = templates.find(({ name, language }) => name === 'order_update' && language === 'en_US');
        expect(found).toMatchObject({
          category: 'UTILITY',
          params_count: 2,
          header_type: 'none',
          footer: 'Demo shop',
        });
      },
      error: () =>
        client.GET('/api/v1/templates', { params: { query: { messaging_account_id: 'acc_none' } } }),
      code: 'ACCOUNT_NOT_FOUND',
    },
    sendTemplateMessage: {
      success: async () => {
        const params = { header: { 'Idempotency-Key': randomUUID() } };
        const body = message({ client_reference: 'order-1', metadata: { shop: 'one' } });
        const sent = await dataOf(client.POST('/api/v1/messages/send', { params, body }));
        expect(sent.cost).toBeGreaterThan(0);
        const again = await client.POST('/api/v1/messages/send', { params, body });
        expect(again.data?.data).toEqual(sent);
        expect(again.response.headers.get('Idempotency-Replayed')).toBe('true');
      },
      error: () => client.POST('/api/v1/messages/send', { body: message({ data: { name: 'unknown' } }) }),
      code: 'TEMPLATE_NOT_FOUND',
    },
    validateSend: {
      success: async () => {
        const body = message({ phone: '12', max_cost: 0 });
        const found = await dataOf(client.POST('/api/v1/messages/validate', { body }));
        expect(found.errors.map(({ code }) => code)).toEqual(['INVALID_PHONE']);
        expect(found.message.rendered?.body).toContain('Amal');
        const right = await dataOf(client.POST('/api/v1/messages/validate', { body: message() }));
        expect([right.valid, right.price?.currency]).toEqual([true, 'USD']);
      },
      error: () => client.POST('/api/v1/messages/validate', { params: stranger, body: message() }),
      code: 'TENANT_FORBIDDEN',
    },
    sendBatch: {
      success: async () => {
        const messages = [message(), message({ phone: '12' })];
        const answer = await dataOf(client.POST('/api/v1/messages/batch', { body: { messages } }));
        const told = answer.results.map((one) =>
          'error' in one ? one.error.code : one.conversation_category,
        );
        expect([answer.accepted, answer.refused, ...told]).toEqual([1, 1, 'UTILITY', 'INVALID_PHONE']);
      },
      error: () => client.POST('/api/v1/messages/batch', { body: { messages: [] } }),
      code: 'VALIDATION_FAILED',
    },
    listMessages: {
      success: async () => {
        const phone = freshPhone();
        await send({ phone, ...inAYear });
        const query = { phone, status: 'scheduled' as const, limit: 1 };
        const { data } = await client.GET('/api/v1/messages', { params: { query } });
        expect(data?.data.map(({ template }) => template.name)).toEqual(['order_update']);
        expect(data?.next_cursor).toBeNull();
      },
      error: () => client.GET('/api/v1/messages', { params: { query: { phone: '12' } } }),
      code: 'INVALID_PHONE',
    },
    getMessage: {
      success: async () => {
        const params = await send({
          ...inAYear,
          valid_until: `${new Date().getUTCFullYear() + 2}-01-01T10:00:00Z`,
        });
        const record = await dataOf(client.GET('/api/v1/messages/{message_log_id}', { params }));
        expect([record.status, record.error, record.events[0]?.event]).toEqual([
          'scheduled',
          null,
          'accepted',
        ]);
      },
      error: () => client.GET('/api/v1/messages/{message_log_id}', { params: noMessage }),
      code: 'MESSAGE_NOT_FOUND',
    },
    cancelMessage: {
      success: async () => {
        const params = await send(inAYear);
        const record = await dataOf(client.POST('/api/v1/messages/{message_log_id}/cancel', { params }));
        expect(record.status).toBe('canceled');
      },
      error: () => client.POST('/api/v1/messages/{message_log_id}/cancel', { params: noMessage }),
      code: 'MESSAGE_NOT_FOUND',
    },
    listEvents: {
      success: async () => {
        const after = await cursor();
        await send(inAYear);
        const query = { after, wait: 20, types: 'message.accepted', limit: 1_000 };
        const { data } = await client.GET('/api/v1/events', { params: { query } });
        expect(data?.data.map(({ type }) => type)).toContain('message.accepted');
      },
      error: () => client.GET('/api/v1/events', { params: { query: { wait: 21 } } }),
      code: 'VALIDATION_FAILED',
    },
    listOptOuts: {
      success: async () => {
        const { phone } = (await optedOut()).path;
        const query = { phone, source: 'api' as const };
        const { data } = await client.GET('/api/v1/opt-outs', { params: { query } });
        expect(data?.data.map(({ scope }) => scope)).toEqual(['all']);
      },
      error: () => client.GET('/api/v1/opt-outs', { params: { query: { phone: '12' } } }),
      code: 'INVALID_PHONE',
    },
    putOptOut: {
      success: async () => {
        const params = { path: { phone: freshPhone() } };
        const body = { scope: 'marketing', reason: 'By phone' } as const;
        const kept = await dataOf(client.PUT('/api/v1/opt-outs/{phone}', { params, body }));
        expect([kept.scope, kept.reason, kept.source]).toEqual(['marketing', 'By phone', 'api']);
      },
      error: () =>
        client.PUT('/api/v1/opt-outs/{phone}', { params: { path: { phone: '12' } }, body: { scope: 'all' } }),
      code: 'INVALID_PHONE',
    },
    deleteOptOut: {
      success: async () => {
        const params = await optedOut();
        const lifted = await dataOf(client.DELETE('/api/v1/opt-outs/{phone}', { params }));
        expect(lifted.scope).toBe('all');
      },
      error: () => client.DELETE('/api/v1/opt-outs/{phone}', { params: { path: { phone: freshPhone() } } }),
      code: 'OPT_OUT_NOT_FOUND',
    },
    createWebhookEndpoint: {
      success: async () => {
        const body: Schemas['CreateWebhookEndpointRequest'] = {
          url: world.endpointUrl,
          types: ['message.failed'],
          description: 'Failures',
        };
        const added = await dataOf(client.POST('/api/v1/webhook-endpoints', { body }));
        expect(added.secret).toMatch(/^whsec_/);
      },
      error: () => client.POST('/api/v1/webhook-endpoints', { body: { url: 'http://192.0.2.1/' } }),
      code: 'URL_NOT_ALLOWED',
    },
    listWebhookEndpoints: {
      success: async () => {
        const { webhook_endpoint_id: id } = (await endpoint()).path;
        const endpoints = await dataOf(client.GET('/api/v1/webhook-endpoints'));
        expect(endpoints.find(({ webhook_endpoint_id: one }) => one === id)).toMatchObject({ enabled: true });
      },
      error: () => client.GET('/api/v1/webhook-endpoints', { params: stranger }),
      code: 'TENANT_FORBIDDEN',
    },
    getWebhookEndpoint: {
      success: async () => {
        const path = '/api/v1/webhook-endpoints/{webhook_endpoint_id}';
        const one = await dataOf(client.GET(path, { params: await endpoint() }));
        expect([one.url, one.types, one.failures]).toEqual([world.endpointUrl, null, 0]);
      },
      error: () => client.GET('/api/v1/webhook-endpoints/{webhook_endpoint_id}', { params: noEndpoint }),
      code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    },
    changeWebhookEndpoint: {
      success: async () => {
        const path = '/api/v1/webhook-endpoints/{webhook_endpoint_id}';
        const body = {
          enabled: false,
          types: ['message.read'],
        } satisfies Schemas['ChangeWebhookEndpointRequest'];
        const one = await dataOf(client.PATCH(path, { params: await endpoint(), body }));
        expect([one.enabled, one.types, typeof one.disabled_at]).toEqual([false, ['message.read'], 'string']);
      },
      error: () =>
        client.PATCH('/api/v1/webhook-endpoints/{webhook_endpoint_id}', { params: noEndpoint, body: {} }),
      code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    },
    deleteWebhookEndpoint: {
      success: async () => {
        const path = '/api/v1/webhook-endpoints/{webhook_endpoint_id}';
        expect(await dataOf(client.DELETE(path, { params: await endpoint() }))).toEqual({});
      },
      error: () => client.DELETE('/api/v1/webhook-endpoints/{webhook_endpoint_id}', { params: noEndpoint }),
      code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    },
    rotateWebhookEndpointSecret: {
      success: async () => {
        const path = '/api/v1/webhook-endpoints/{webhook_endpoint_id}/rotate-secret';
        const rotated = await dataOf(client.POST(path, { params: await endpoint() }));
        expect(rotated.secret).toMatch(/^whsec_/);
        expect(Date.parse(rotated.former_secret_until)).toBeGreaterThan(Date.now());
      },
      error: () =>
        client.POST('/api/v1/webhook-endpoints/{webhook_endpoint_id}/rotate-secret', { params: noEndpoint }),
      code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    },
    testWebhookEndpoint: {
      success: async () => {
        const path = '/api/v1/webhook-endpoints/{webhook_endpoint_id}/test';
        const result = await dataOf(client.POST(path, { params: await endpoint() }));
        expect([result.delivered, result.http_status, result.error]).toEqual([true, 200, null]);
      },
      error: () =>
        client.POST('/api/v1/webhook-endpoints/{webhook_endpoint_id}/test', { params: noEndpoint }),
      code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    },
    replayWebhookEndpoint: {
      success: async () => {
        const path = '/api/v1/webhook-endpoints/{webhook_endpoint_id}/replay';
        const body = { after: await cursor() };
        expect(await dataOf(client.POST(path, { params: await endpoint(), body }))).toEqual({});
      },
      error: async () => {
        const body = { after: await cursor() };
        const path = '/api/v1/webhook-endpoints/{webhook_endpoint_id}/replay';
        return client.POST(path, { params: noEndpoint, body });
      },
      code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    },
    listWebhookEndpointDeliveries: {
      success: async () => {
        const { path } = await endpoint();
        const params = { path, query: { limit: 1 } };
        const address = '/api/v1/webhook-endpoints/{webhook_endpoint_id}/deliveries';
        for (const attempt of await dataOf(client.GET(address, { params })))
          expect(attempt.delivered).toBe(true);
      },
      error: () =>
        client.GET('/api/v1/webhook-endpoints/{webhook_endpoint_id}/deliveries', { params: noEndpoint }),
      code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    },
  };
}

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AMAL, COMPONENT_TEMPLATES, media } from '../support/components.js';
import { eventually } from '../support/eventually.js';
import { addTenant } from '../support/tenants.js';
import { useTestService } from '../support/test-service.js';

const service = useTestService();

/** A server that the service should never call, such as one inside the operator's network. */
let trap: Server;
let asked = 0;
beforeAll(async () => {
  trap = createServer((_request, response) => {
    asked += 1;
    response.end();
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise<void>((resolve) => trap.close(() => resolve())));

it('A link to media is passed on to the provider, and never fetched', async () => {
  const tenant = await addTenant(service(), { templates: COMPONENT_TEMPLATES });
  const link = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/latest/meta-data/image.jpg`;
  const { status, body } = await tenant.api.post('/api/v1/messages/send', {
    messaging_account_id: tenant.accounts[0],
    phone: '+12025550101',
    message_type: 'template',
    data: { name: 'image', components: [media('image', { link }), AMAL] },
  });
  expect(status).toBe(202);
  await eventually(async () =>
    expect(await tenant.api.message(body.data['message_log_id'])).toMatchObject({
      sent_at: expect.any(String),
    }),
  );
  expect(asked).toBe(0);
});

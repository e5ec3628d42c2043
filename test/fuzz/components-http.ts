import fc from 'fast-check';
import { TemplateSyncService } from '../../src/templates/template-sync.service.js';
import { phoneOf } from '../support/campaigns.js';
import { eventually } from '../support/eventually.js';
import { addTenant, type TestTenant } from '../support/tenants.js';
import { componentCase, type JudgedSend, judgedSend, MISMATCHES, PROVIDERS_OWN } from './components.js';
import { report } from './hunt.js';
import type { World } from './world.js';

const ENDED = new Set(['delivered', 'read', 'failed']);

/** The property of components.ts over HTTP, with the API and the sandbox: each case has a template of its own. */
export function componentsHttpProperty(world: World) {
  const { service } = world;
  const tenant = addTenant(service, { phones: ['14155550300'] });
  let count = 0;
  return fc.asyncProperty(componentCase, async (one) => {
    const judged = judgedSend(one);
    count += 1;
    const { id: _id, ...template } = { ...judged.template, name: `fuzz_${count}` };
    const sender = await tenant;
    service.sandbox.addTemplate(sender.wabaId, template);
    await service.app.get(TemplateSyncService, { strict: false }).sync(sender.businessAccountId);
    report(await faultsOf(sender, template.name, judged, phoneOf(count)), JSON.stringify(judged, null, 1));
  });
}

async function faultsOf(tenant: TestTenant, name: string, { components }: JudgedSend, phone: string) {
  const { api, accounts } = tenant;
  const answer = await api.post('/api/v1/messages/send', {
    messaging_account_id: accounts[0],
    phone,
    message_type: 'template',
    data: { name, components },
  });
  const { status, body } = answer;
  if (status === 400 || (status === 422 && MISMATCHES.has(body.error.code))) return [];
  if (status !== 202) return [`answered with ${status} ${answer.text}`];
  const message = await eventually(async () => {
    const record = await api.message(body.data['message_log_id']);
    if (!ENDED.has(record['status'])) throw new Error(`Message of ${name} is ${record['status']}`);
    return record;
  });
  const code: unknown = message['error']?.code;
  if (message['status'] !== 'failed' || PROVIDERS_OWN.has(code as number)) return [];
  return [`accepted, and refused by the provider with ${code}: ${message['error'].details}`];
}

import { AlertsService } from '../../src/alerts/alerts.service.js';
import { DashboardUsersService } from '../../src/accounts/dashboard-users.service.js';
import { SecondFactorsService } from '../../src/accounts/second-factors.service.js';
import type { Api } from './api.js';
import { CampaignsApi } from './campaigns.js';
import { signIn } from './dashboard-api.js';
import { cloneOf, moveTo } from './moves.js';
import { runSql } from './operator.js';
import { SECRETS, type TestService } from './service.js';
import { draft, DRAFTS, send } from './template-drafts.js';
import { addTenant, template } from './tenants.js';

/** The ids and names by which requests name things. */
export interface Ids {
  tenant_id: string;
  business_account_id: string;
  waba_id: string;
  access_token: string;
  messaging_account_id: string;
  phone_number_id: string;
  template_id: number;
  template_name: string;
  /** The id of a waiting message. */
  message_log_id: number;
  phone: string;
  /** Of a recipient who has opted out. */
  opt_out_phone: string;
  idempotency_key: string;
  /** The id of a checked draft, and its revision. */
  campaign_id: number;
  campaign_revision: number;
  draft_key: string;
  user_id: string;
  email: string;
  api_key_id: string;
  webhook_endpoint_id: string;
  spend_limit_id: number;
  alert_id: number;
  hold_id: number;
}

/** A tenant that has at least one thing of each kind. */
export interface Furnished {
  ids: Ids;
  /** A caller of the public API. */
  program: Api;
  /** The owner, signed in to the dashboard. */
  owner: Api;
}

/** Ids of nothing, in the form of real ids. */
export const NOBODYS: Ids = {
  tenant_id: '00000000-0000-4000-8000-000000000001',
  business_account_id: '00000000-0000-4000-8000-000000000002',
  waba_id: '999999999999999',
  access_token: 'token-nobody',
  messaging_account_id: `acc_${'0'.repeat(20)}`,
  phone_number_id: '999999999999998',
  template_id: 999_991,
  template_name: 'nobody_offer',
  message_log_id: 999_992,
  phone: '4915999990100',
  opt_out_phone: '4915299990100',
  idempotency_key: 'nobody-order',
  campaign_id: 999_993,
  campaign_revision: 1,
  draft_key: 'nobody-draft',
  user_id: '00000000-0000-4000-8000-000000000003',
  email: 'nobody@nobody.example',
  api_key_id: '00000000-0000-4000-8000-000000000004',
  webhook_endpoint_id: '00000000-0000-4000-8000-000000000005',
  spend_limit_id: 999_996,
  alert_id: 999_994,
  hold_id: 999_995,
};

/**
 * Makes a tenant with at least one thing of each kind, all of whose names contain the tenant's name.
 * @param name lower case
 * @param digits six, that make its phone numbers its own
 */
export async function furnish(service: TestService, name: string, digits: string): Promise<Furnished> {
  const phone = `49151${digits}00`;
  const opt_out_phone = `49152${digits}00`;
  const tenant = await addTenant(service, {
    phones: [`1415${digits}1`, `1415${digits}2`],
    templates: [template(`${name}_offer`, `Hello {{1}}, ${name}!`), template(`${name}_news`, `${name}!`)],
  });
  const sql = <Row>(text: string, values: unknown[] = []) =>
    service.database.run<Row>({ name: '', text }, [tenant.id, ...values]);
  await sql(`UPDATE tenants SET name = '${name} shop' WHERE id = $1`);
  await sql(`UPDATE messaging_accounts SET name = '${name} sales' WHERE tenant_id = $1`);
  await moveTo(service, tenant, await cloneOf(service, tenant));
  const account = {
    id: tenant.accounts[1] as string,
    template: { name: `${name}_offer`, language: 'en_US' },
  };

  const users = service.app.get(DashboardUsersService, { strict: false });
  await users.create(tenant.id, `owner@${name}.example`, SECRETS.demoPassword);
  const owner = await signIn(service.url, `owner@${name}.example`, SECRETS.demoPassword);
  const email = `colleague@${name}.example`;
  const { id: user_id } = await users.create(tenant.id, email, SECRETS.demoPassword, { role: 'viewer' });
  await service.app.get(SecondFactorsService, { strict: false }).begin(user_id, email);
  await runSql(service, 'UPDATE second_factors SET turned_on_at = now() WHERE user_id = $1', [user_id]);
  await sql(`INSERT INTO opt_outs VALUES ($1, $2, 'marketing', 'api', '${name} asked', now())`, [
    opt_out_phone,
  ]);
  await sql('INSERT INTO opt_out_lifts VALUES ($1, $2, now(), now(), now())', [opt_out_phone]);
  const key = await owner.post('/dashboard/api/api-keys', { name: `${name} key` });
  const webhook_endpoint_id = await addEndpoint(service, owner, name);
  const spend_limit_id = await limitSpending(service, owner, key.body.data['api_key_id']);
  const draft_key = `${name}-draft`;
  await send(owner, 'PUT', `${DRAFTS}/${draft_key}`, {
    revision: 0,
    business_account_id: tenant.businessAccountId,
    draft: draft({ name: `${name}_draft` }),
  });

  const idempotency_key = `${name}-order`;
  const messages = await sendMessages(service, tenant.api, account, { phone, idempotency_key });
  const campaign = await makeCampaigns(new CampaignsApi(owner), account, name, phone);
  const rows = await sql<Pick<Ids, 'template_id' | 'phone_number_id'>>(
    `SELECT t.id AS template_id, n.phone_number_id FROM messaging_accounts n
      JOIN templates t ON t.business_account_id = n.business_account_id AND t.name = '${name}_offer'
      WHERE n.tenant_id = $1 AND n.api_id = $2`,
    [account.id],
  );
  const [{ template_id, phone_number_id }] = rows as [Pick<Ids, 'template_id' | 'phone_number_id'>];
  await sql(
    'INSERT INTO template_edits (template_id, edited_at) SELECT id, now() FROM templates WHERE id = $2 AND tenant_id = $1',
    [template_id],
  );
  const [hold] = await sql<{ id: number }>(
    `INSERT INTO holds (tenant_id, scope, target_id, cause, error, created_at, next_probe_at)
      VALUES ($1, 'template', $2, 'template', $3, now(), 'infinity') RETURNING id`,
    [String(template_id), JSON.stringify({ code: 1, title: `${name} hold`, details: null })],
  );
  return {
    program: tenant.api,
    owner,
    ids: {
      tenant_id: tenant.id,
      business_account_id: tenant.businessAccountId,
      waba_id: tenant.wabaId,
      access_token: `token-${tenant.wabaId}`,
      messaging_account_id: account.id,
      phone_number_id,
      template_id,
      template_name: `${name}_offer`,
      message_log_id: messages,
      phone,
      opt_out_phone,
      idempotency_key,
      ...campaign,
      draft_key,
      user_id,
      email,
      api_key_id: key.body.data['api_key_id'],
      webhook_endpoint_id,
      spend_limit_id,
      alert_id: await raiseAlert(service, tenant, name),
      hold_id: hold?.id as number,
    },
  };
}

interface Account {
  id: string;
  template: { name: string; language: string };
}

/** Makes a waiting message and a canceled one. @returns the id of the waiting one */
async function sendMessages(
  service: TestService,
  api: Api,
  { id, template: { name } }: Account,
  { phone, idempotency_key }: Pick<Ids, 'phone' | 'idempotency_key'>,
): Promise<number> {
  const body = {
    messaging_account_id: id,
    phone,
    message_type: 'template',
    data: { name, params: [name] },
    scheduled_at: new Date(service.clock.now().getTime() + 3_600_000).toISOString(),
    timezone: 'UTC',
  };
  const canceled = await api.post('/api/v1/messages/send', body);
  await api.post(`/api/v1/messages/${canceled.body.data['message_log_id']}/cancel`);
  const waiting = await api.post('/api/v1/messages/send', body, { 'Idempotency-Key': idempotency_key });
  return waiting.body.data['message_log_id'] as number;
}

/** Makes a checked draft, and a campaign that starts later. */
async function makeCampaigns(
  campaigns: CampaignsApi,
  account: Account,
  name: string,
  phone: string,
): Promise<Pick<Ids, 'campaign_id' | 'campaign_revision'>> {
  const mapping = { phone: { column: 0 }, 'body.1': { column: 1 } };
  const make = async (): Promise<number> => {
    const created = await campaigns.create({
      name: `${name} campaign`,
      messaging_account_id: account.id,
      template: account.template,
    });
    const id = created.body.data['campaign_id'] as number;
    await campaigns.upload(id, `phone,name\n+${phone},${name}\nnobody,${name}`);
    await campaigns.edit(id, { mapping });
    await campaigns.act(id, 'check');
    return id;
  };
  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
  await campaigns.start(await make(), { leave_out_faulty: true, scheduled_at, timezone: 'UTC' });
  const campaign_id = await make();
  const { revision } = await campaigns.get(campaign_id);
  return { campaign_id, campaign_revision: revision as number };
}

/** Adds an endpoint that nothing is posted to any more. */
async function addEndpoint(service: TestService, owner: Api, name: string): Promise<string> {
  const path = '/dashboard/api/webhook-endpoints';
  const { body } = await owner.post(path, { url: `https://198.41.0.4/${name}`, description: `${name} shop` });
  const id = body.data['webhook_endpoint_id'] as string;
  await send(owner, 'PATCH', `${path}/${id}`, { enabled: false });
  await runSql(
    service,
    `INSERT INTO webhook_endpoint_attempts (webhook_endpoint_id, place, attempted_at, events, first_cursor, last_cursor,
      http_status, error, duration) VALUES ($1, 1, now(), 1, 'MQ', 'MQ', 500, $2, 10)`,
    [id, `${name} error`],
  );
  return id;
}

/** Sets a limit for a key, with a change that is not worked in. */
async function limitSpending(service: TestService, owner: Api, api_key_id: string): Promise<number> {
  const limit = { api_key_id, period: 'month', currency: 'USD', amount: '1000000' };
  const { body } = await send(owner, 'PUT', '/dashboard/api/spend-limits', limit);
  const id = body.data['spend_limit_id'] as number;
  await runSql(
    service,
    `INSERT INTO spend_changes (spend_limit_id, message_log_id, period_start, amount) VALUES ($1, 1, now(), 1)`,
    [id],
  );
  return id;
}

async function raiseAlert(
  service: TestService,
  { id: tenantId, businessAccountId }: { id: string; businessAccountId: string },
  name: string,
): Promise<number> {
  await service.app.get(AlertsService, { strict: false }).raise({
    kind: 'account_news',
    severity: 'info',
    tenantId,
    businessAccountId,
    subject: name,
    text: `${name} alert`,
    details: { name },
    occurredAt: service.clock.now(),
  });
  const [alert] = await runSql(service, 'SELECT id FROM alerts WHERE subject = $1', [name]);
  await runSql(
    service,
    `INSERT INTO alert_reads (alert_id, user_id, read_at)
     SELECT $1, id, now() FROM dashboard_users WHERE tenant_id = $2 LIMIT 1`,
    [alert?.['id'], tenantId],
  );
  return alert?.['id'] as number;
}

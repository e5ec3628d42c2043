import { expect } from '@jest/globals';
import { DEMO } from '../../src/embedded/demo.js';
import type { PagePath } from '../../dashboard/src/page-paths.js';
import type { Api } from './api.js';
import { CampaignsApi, recipientsCsv } from './campaigns.js';
import { signIn } from './dashboard-api.js';
import { eventually } from './eventually.js';
import { SECRETS, type TestService } from './service.js';
import { demoAccount, draft, DRAFTS, send } from './template-drafts.js';

/** A page of the dashboard that has some data to show. */
export interface PageVisit {
  /** The address, below /dashboard. */
  path: string;
  /** Words that are on the page as soon as it has its data. */
  shows: string | RegExp;
  /** A field to type into, by its label; null when the page shows none at first. */
  types: Typing | null;
}

export interface Typing {
  field: string;
  text: string;
  /** Whether typing makes the page ask the service. */
  isAsked: boolean;
}

const into = (field: string, text: string): Typing => ({ field, text, isAsked: false });
const search = (field: string, text: string): Typing => ({ field, text, isAsked: true });

/**
 * Fills the demo with a little of everything.
 * @returns visits to each page, the usual one first; a new page needs one too
 */
export async function pageVisits(service: TestService): Promise<Record<PagePath, PageVisit[]>> {
  const user = await signIn(service.url, DEMO.email, SECRETS.demoPassword);
  const message = await failedMessage(service);
  const campaigns = new CampaignsApi(user);
  const checked = await campaigns.ready(recipientsCsv(3));
  const started = await campaigns.ready(recipientsCsv(3));
  await campaigns.start(started);
  await limitSpending(user);
  await beginTemplate(service, user);
  const template = await templateId(service);
  return {
    '/': [{ path: '/', shows: 'Messages over time', types: null }],
    numbers: [{ path: '/numbers', shows: 'Demo shop sales', types: null }],
    templates: [{ path: '/templates', shows: 'order_receipt', types: search('Search', 'order') }],
    'templates/new': [{ path: '/templates/new', shows: 'Basics', types: into('Body text', 'Hello there.') }],
    'templates/:id/edit': [
      {
        path: `/templates/${template}/edit`,
        shows: 'Basics',
        types: into('Footer text', 'See you soon'),
      },
    ],
    'templates/:id': [{ path: `/templates/${template}`, shows: 'Provider ID', types: null }],
    'messages/:id?': [
      { path: '/messages', shows: '+12025550110', types: search('Recipient', '+12025550110') },
      { path: `/messages/${message}`, shows: 'What happened', types: null },
    ],
    campaigns: [{ path: '/campaigns', shows: 'Orders', types: null }],
    'campaigns/new': [
      {
        path: '/campaigns/new',
        shows: 'What to send, and from which number',
        types: into('Name of the campaign', 'Spring sale'),
      },
    ],
    'campaigns/:id': [
      { path: `/campaigns/${checked}`, shows: '3 recipients can be sent to.', types: null },
      { path: `/campaigns/${started}`, shows: 'Progress', types: null },
    ],
    send: [
      { path: '/send', shows: 'Recipient and time', types: into('Phone number', '+12025550100') },
      { path: `/send?template=${template}`, shows: 'Text for {{1}}', types: null },
    ],
    'opt-outs': [
      { path: '/opt-outs', shows: 'Words that opt out', types: search('Phone number', '+12025550110') },
    ],
    alerts: [{ path: '/alerts', shows: /No open alerts|What to do/, types: null }],
    'settings/api-keys': [{ path: '/settings/api-keys', shows: 'Demo key', types: null }],
    'settings/webhook-endpoints': [
      { path: '/settings/webhook-endpoints', shows: 'No endpoints yet', types: null },
    ],
    'settings/users': [{ path: '/settings/users', shows: 'demo@example.com', types: null }],
    'settings/spend-limits': [{ path: '/settings/spend-limits', shows: 'Demo key', types: null }],
    'settings/rate-card': [{ path: '/settings/rate-card', shows: 'Argentina', types: into('Market', 'Arg') }],
    'settings/audit-log': [{ path: '/settings/audit-log', shows: 'Made a campaign', types: null }],
    'settings/second-factor': [
      {
        path: '/settings/second-factor',
        shows: 'Present password',
        types: into('Present password', 'not the one'),
      },
    ],
    'settings/password': [
      {
        path: '/settings/password',
        shows: 'New password again',
        types: into('Present password', 'not the one'),
      },
    ],
  };
}

/** A limit of the demo's key that nothing reaches. */
async function limitSpending(user: Api): Promise<void> {
  const { body } = await user.get('/dashboard/api/spend-limits');
  const [key] = body.data['api_keys'] as { api_key_id: string }[];
  const limit = { api_key_id: key?.api_key_id, period: 'month', currency: 'USD', amount: '1000000' };
  await send(user, 'PUT', '/dashboard/api/spend-limits', limit);
}

async function failedMessage(service: TestService): Promise<number> {
  const { body } = await service.api.send('+12025550110');
  const id = body.data['message_log_id'] as number;
  await eventually(async () => expect(await service.api.message(id)).toMatchObject({ status: 'failed' }));
  return id;
}

async function templateId(service: TestService): Promise<number | undefined> {
  const [row] = await service.database.run<{ id: number }>({
    name: 'test_template',
    text: `SELECT id FROM templates WHERE name = 'order_update' AND language = 'en_US'`,
  });
  return row?.id;
}

/** Begins a template, and does not submit it. */
async function beginTemplate(service: TestService, user: Api): Promise<void> {
  await send(user, 'PUT', `${DRAFTS}/begun-and-not-submitted`, {
    revision: 0,
    business_account_id: await demoAccount(service),
    draft: draft({ name: 'a_template_with_a_rather_long_name' }),
  });
}

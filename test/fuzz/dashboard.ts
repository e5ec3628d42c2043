import fc from 'fast-check';
import { CampaignsApi, recipientsCsv } from '../support/campaigns.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { draft, DRAFTS, send } from '../support/template-drafts.js';
import { type Asker, type DashboardCase, dashboardCase } from './dashboard-requests.js';
import { dashboardRoutes } from './dashboard-routes.js';
import { rendered } from './draft-request.js';
import { report } from './hunt.js';
import { envelopeFaults } from './oracle.js';
import { ask, curlOf, type FuzzAnswer, type FuzzRequest } from './request.js';
import { Sessions } from './sessions.js';
import type { World } from './world.js';

/** Makes things that requests can be about: campaigns in several states and a draft. */
export async function furnish({ service }: World): Promise<void> {
  const owner = await dashboardApi(service, 'owner');
  const campaigns = new CampaignsApi(owner);
  const csv = recipientsCsv(5, { 2: 'nobody,B,C' });
  await campaigns.create();
  await campaigns.ready(csv, { name: 'Checked' });
  const started = await campaigns.ready(csv, { name: 'Started' });
  await campaigns.start(started, { leave_out_faulty: true });
  await send(owner, 'PUT', `${DRAFTS}/fuzz`, { revision: 0, business_account_id: null, draft: draft() });
  await service.api.send('+12025550102');
}

/** Each answer of the dashboard's API has the envelope, a known code, and no data for users without the right. */
export function dashboardProperty(world: World) {
  const sessions = new Sessions(world);
  return fc.asyncProperty(
    dashboardCase(dashboardRoutes(world.service)),
    async ({ asker, draft: made }: DashboardCase) => {
      const { url } = world.service;
      const request = await rendered(
        { ...made, headers: { ...made.headers, ...(await sessions.headersOf(asker)) } },
        world,
      );
      const answer = await ask(url, request);
      report(
        [...answerFaults(request, answer), ...accessFaults(asker, request, answer)],
        curlOf(url, request),
      );
    },
  );
}

/** The faults of an answer: it is JSON, except for files, for streams, and for the page, which is outside the API. */
function answerFaults(request: FuzzRequest, answer: FuzzAnswer): string[] {
  const type = answer.headers['content-type'] ?? '';
  const isFile = type === 'text/csv; charset=utf-8' && answer.headers['content-disposition'] !== undefined;
  const isStream = type === 'text/event-stream' && request.headers['Accept'] === 'text/event-stream';
  return answer.status === 200 && (isFile || isStream) ? [] : envelopeFaults(request, answer);
}

/** Routes for everybody, signed in or not. */
const SESSION = /^\/dashboard\/api\/session\/?$/i;

/** Routes whatever the user's role: for a user's own things, or for operators. */
const OWN = /^\/dashboard\/api\/(session|session\/all|password|rate-cards|alerts\/(\d+\/)?read)\/?$/i;

/** The faults of access: somebody got an answer without the right to it. */
function accessFaults(asker: Asker, { method, path }: FuzzRequest, { status }: FuzzAnswer): string[] {
  const [asked = ''] = path.split('?', 1);
  const isReading = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  if (status >= 400 || status === 0) return [];
  const may =
    (SESSION.test(asked) && (isReading || method === 'POST')) ||
    (asker !== 'nobody' && isReading) ||
    (asker === 'viewer' && OWN.test(asked)) ||
    asker === 'owner' ||
    asker === 'operator' ||
    asker === 'editor';
  return may ? [] : [`${asker} may not: ${method} ${path} was answered with ${status}`];
}

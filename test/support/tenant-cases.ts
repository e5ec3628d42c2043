import type { DashboardRole } from '../../src/accounts/dashboard-user.entity.js';
import { draft, PNG } from './template-drafts.js';
import type { Ids } from './two-tenants.js';

/** The parts of a request beside the ids in its path. */
export interface Asked {
  /** Values for parameters of the path that are not the ids of these names. */
  path?: Record<string, string | number>;
  query?: Record<string, string | number>;
  /** A JSON body. */
  body?: object;
  /** A raw body. */
  file?: Buffer;
  headers?: Record<string, string>;
}

/** A request that names things of another tenant. `own` is the caller's tenant. */
export interface Ask {
  request: (theirs: Ids, own: Ids) => Asked;
  /** The status of the answer, the same as for a thing that does not exist. */
  status: number;
  /** False when one such request has removed the thing that the caller had. */
  worksOnce?: boolean;
}

export interface RouteCase {
  /** Who may call the route: at least this role of the dashboard, an operator, anybody, or a program with a key. */
  for: DashboardRole | 'operator' | 'anybody' | 'key';
  /** Requests that name another tenant's things; none for a route that takes no names. */
  asks: Ask[];
  /** A request that names nothing of another tenant; its answer has to contain nothing of another tenant either. */
  plain?: Asked;
}

const ask = (request: Ask['request'], status = 404): Ask => ({ request, status });

/** A request with another tenant's id in its path. */
const IN_PATH = ask(() => ({}));
const inPathWith = (body: object) => ask(() => ({ body }));

/** A route that takes no names: only the caller decides its answer. */
const plain = (role: RouteCase['for'], request: Asked = {}): RouteCase => ({
  for: role,
  asks: [],
  plain: request,
});
const only = (role: RouteCase['for'], ...asks: Ask[]): RouteCase => ({ for: role, asks });

const LANGUAGE = 'en_US';
const message = (ids: Ids, name: string) => ({
  messaging_account_id: ids.messaging_account_id,
  phone: ids.phone,
  message_type: 'template',
  data: { name, params: ['x'] },
});
/** A send from another tenant's number, and one of another tenant's template. */
const sends = (headers?: Record<string, string>, status = 404): Ask[] => [
  ask(
    (theirs, own) => ({
      body: { ...message(own, own.template_name), messaging_account_id: theirs.messaging_account_id },
      ...(headers && { headers }),
    }),
    status,
  ),
  ask((theirs, own) => ({ body: message(own, theirs.template_name), ...(headers && { headers }) }), status),
];
const number = (ids: Ids) => ({
  business_account_id: ids.business_account_id,
  phone_number_id: ids.phone_number_id,
  phone: '+14155550999',
  name: 'Number',
  messages_per_second: 80,
});
const account = (ids: Ids) => ({
  waba_id: ids.waba_id,
  access_token: ids.access_token,
  app_secret: 'a secret',
});
const PASSWORD = 'a password that is long';
const WRONG = { current_password: 'not the password', password: PASSWORD };
const WRONG_PROOF = { password: 'not the password', code: '000000' };
const FILE = { file: PNG, headers: { 'Content-Type': 'image/png' } };
const CSV = {
  file: Buffer.from('phone\n+4915110000100'),
  headers: { 'Content-Type': 'text/csv' },
  query: { file_name: 'list.csv' },
};
const KEY = { 'Idempotency-Key': 'the-same-for-all' };

const optedOut = ({ opt_out_phone: phone }: Ids) => ({ path: { phone } });
/** Everybody may keep messages from anybody, also from who has opted out of another tenant's. */
const OPT_OUT = ask((ids) => ({ ...optedOut(ids), body: { scope: 'marketing' } }), 200);
/** Lifts what {@link OPT_OUT} has set; then there is none for the caller, whatever another tenant has. */
const LIFTS = [ask(optedOut, 200), { ...ask(optedOut), worksOnce: false }];

const API: Record<string, RouteCase> = {
  'GET /api/v1/templates': only(
    'key',
    ask(({ messaging_account_id }) => ({ query: { messaging_account_id } })),
    ask(({ messaging_account_id }) => ({ query: { messaging_account_id, status: 'PAUSED' } })),
  ),
  'GET /api/v1/events': plain('key'),
  'POST /api/v1/messages/send': only(
    'key',
    ...sends(),
    ask(
      ({ idempotency_key }, own) => ({
        body: message(own, own.template_name),
        headers: { 'Idempotency-Key': idempotency_key },
      }),
      202,
    ),
  ),
  // The answer is always a 200, whose errors say the same of another tenant's things as of those that there are not.
  'POST /api/v1/messages/validate': only('key', ...sends(undefined, 200)),
  // The same, in its results.
  'POST /api/v1/messages/batch': only(
    'key',
    ask((theirs, own) => {
      const unknownNumber = {
        ...message(own, own.template_name),
        messaging_account_id: theirs.messaging_account_id,
      };
      return { body: { messages: [unknownNumber, message(own, theirs.template_name)] } };
    }, 200),
  ),
  'GET /api/v1/messages': {
    ...plain('key'),
    asks: [
      ask(({ messaging_account_id }) => ({ query: { messaging_account_id } })),
      ask(({ template_name: name }) => ({ query: { template: name } }), 200),
      ask(({ phone }) => ({ query: { phone } }), 200),
    ],
  },
  'GET /api/v1/messages/:message_log_id': only('key', IN_PATH),
  'POST /api/v1/messages/:message_log_id/cancel': only('key', IN_PATH),
  'GET /api/v1/opt-outs': {
    ...plain('key'),
    asks: [ask(({ opt_out_phone: phone }) => ({ query: { phone } }), 200)],
  },
  'PUT /api/v1/opt-outs/:phone': only('key', OPT_OUT),
  'DELETE /api/v1/opt-outs/:phone': only('key', ...LIFTS),
  'GET /api/v1/webhook-endpoints': plain('key'),
  'POST /api/v1/webhook-endpoints': plain('key', { body: { url: 'no address' } }),
  'GET /api/v1/webhook-endpoints/:webhook_endpoint_id': only('key', IN_PATH),
  'PATCH /api/v1/webhook-endpoints/:webhook_endpoint_id': only('key', inPathWith({ description: 'x' })),
  'DELETE /api/v1/webhook-endpoints/:webhook_endpoint_id': only('key', IN_PATH),
  'POST /api/v1/webhook-endpoints/:webhook_endpoint_id/rotate-secret': only('key', IN_PATH),
  'POST /api/v1/webhook-endpoints/:webhook_endpoint_id/test': only('key', IN_PATH),
  'POST /api/v1/webhook-endpoints/:webhook_endpoint_id/replay': only('key', inPathWith({ after: 'MQ' })),
  'GET /api/v1/webhook-endpoints/:webhook_endpoint_id/deliveries': only('key', IN_PATH),
};

const SESSIONS: Record<string, RouteCase> = {
  'POST /dashboard/api/session': only(
    'anybody',
    ask(({ email }) => ({ body: { email, password: 'not the password' } }), 401),
  ),
  'GET /dashboard/api/session': plain('anybody'),
  'DELETE /dashboard/api/session': plain('anybody'),
  'DELETE /dashboard/api/session/all': plain('anybody'),
  'PUT /dashboard/api/password': plain('anybody', { body: WRONG }),
  'GET /dashboard/api/second-factor': plain('anybody'),
  'POST /dashboard/api/second-factor': plain('anybody', { body: { password: 'not the password' } }),
  'POST /dashboard/api/second-factor/turn-on': plain('anybody', { body: { code: '000000' } }),
  'POST /dashboard/api/second-factor/recovery-codes': plain('anybody', { body: WRONG_PROOF }),
  'DELETE /dashboard/api/second-factor': plain('anybody', { body: WRONG_PROOF }),
};

const MESSAGES: Record<string, RouteCase> = {
  'GET /dashboard/api/messages': {
    ...plain('viewer'),
    asks: [
      ask(({ messaging_account_id }) => ({ query: { messaging_account_id } })),
      ask(({ template_name: name }) => ({ query: { template: name } }), 200),
      ask(({ phone }) => ({ query: { phone } }), 200),
    ],
  },
  'GET /dashboard/api/messages/choices': plain('viewer'),
  'GET /dashboard/api/messages/export': {
    ...plain('viewer'),
    asks: [
      ask(({ messaging_account_id }) => ({ query: { messaging_account_id } })),
      ask(({ phone }) => ({ query: { phone } }), 200),
    ],
  },
  'GET /dashboard/api/messages/:message_log_id': only('viewer', IN_PATH),
  'POST /dashboard/api/messages/:message_log_id/cancel': only('editor', IN_PATH),
  'POST /dashboard/api/messages/validate': only('editor', ...sends(undefined, 200)),
  'POST /dashboard/api/messages/send': only('editor', ...sends(KEY)),
  'POST /dashboard/api/uploads/media': only(
    'editor',
    ask(({ messaging_account_id }) => ({ ...FILE, query: { file_name: 'a.png', messaging_account_id } })),
  ),
  'GET /dashboard/api/overview': plain('viewer'),
  'GET /dashboard/api/overview/queue': plain('viewer'),
  'GET /dashboard/api/alerts': plain('viewer'),
  'GET /dashboard/api/alerts/unread': plain('viewer'),
  'POST /dashboard/api/alerts/read': plain('viewer'),
  'POST /dashboard/api/alerts/:alert_id/read': only('viewer', IN_PATH),
  'POST /dashboard/api/alerts/:alert_id/dismiss': only('editor', IN_PATH),
};

const template = ({ template_id: id }: Ids) => ({ path: { id } });

const TEMPLATES: Record<string, RouteCase> = {
  'GET /dashboard/api/templates': {
    ...plain('viewer'),
    asks: [
      ask(({ messaging_account_id }) => ({ query: { messaging_account_id } }), 200),
      ask(({ template_name: search }) => ({ query: { search } }), 200),
    ],
  },
  'GET /dashboard/api/templates/facets': plain('viewer'),
  'GET /dashboard/api/templates/:template_id': only('viewer', IN_PATH),
  'POST /dashboard/api/templates/sync': only(
    'editor',
    ask(({ business_account_id }) => ({ body: { business_account_id } })),
  ),
  'POST /dashboard/api/templates': only(
    'editor',
    ask(({ business_account_id }) => ({ body: { business_account_id, draft: draft() } })),
  ),
  'PATCH /dashboard/api/templates/:id': only(
    'editor',
    ask((theirs) => ({ ...template(theirs), body: { draft: draft() } })),
  ),
  'DELETE /dashboard/api/templates/:id': only('editor', ask(template), {
    ...ask((theirs) => ({ ...template(theirs), query: { all_languages: 'true' } })),
    worksOnce: false,
  }),
  'POST /dashboard/api/uploads/header-sample': only(
    'editor',
    ask(({ business_account_id }) => ({ ...FILE, query: { file_name: 'a.png', business_account_id } })),
  ),
  'GET /dashboard/api/template-drafts': plain('editor'),
  'GET /dashboard/api/template-drafts/start': {
    ...plain('editor'),
    asks: [
      ask(({ draft_key: key }) => ({ query: { key } }), 200),
      ask(({ template_id }) => ({ query: { template_id } })),
      ask(({ template_id: copy }) => ({ query: { copy } })),
    ],
  },
  'GET /dashboard/api/template-drafts/:key': only(
    'editor',
    ask(({ draft_key: key }) => ({ path: { key } })),
  ),
  'PUT /dashboard/api/template-drafts/:key': only(
    'editor',
    ask(({ business_account_id }, { draft_key: key }) => ({
      path: { key },
      body: { revision: 0, business_account_id, draft: draft() },
    })),
    // Keys of drafts belong to a user, so that everybody may use the same key.
    ask(
      ({ draft_key: key }) => ({
        path: { key },
        body: { revision: 0, business_account_id: null, draft: draft() },
      }),
      200,
    ),
  ),
  'DELETE /dashboard/api/template-drafts/:key': only(
    'editor',
    ask(({ draft_key: key }) => ({ path: { key } }), 200),
  ),
};

const OPT_OUTS: Record<string, RouteCase> = {
  'GET /dashboard/api/opt-outs': {
    ...plain('viewer'),
    asks: [ask(({ opt_out_phone: phone }) => ({ query: { phone } }), 200)],
  },
  'GET /dashboard/api/opt-outs/export': plain('viewer'),
  'GET /dashboard/api/opt-outs/keywords': plain('viewer'),
  'PUT /dashboard/api/opt-outs/keywords': plain('owner', { body: { keywords: ['enough'] } }),
  // Of the caller's own recipient, as the caller's audit log tells whom it was about.
  'PUT /dashboard/api/opt-outs/:phone': only(
    'editor',
    ask((_theirs, own) => ({ ...optedOut(own), body: { scope: 'marketing' } }), 200),
  ),
  'DELETE /dashboard/api/opt-outs/:phone': only('editor', { ...ask(optedOut), worksOnce: false }),
  'POST /dashboard/api/uploads/opt-outs': plain('editor', { file: CSV.file, headers: CSV.headers }),
};

const CAMPAIGNS: Record<string, RouteCase> = {
  'GET /dashboard/api/campaigns': plain('viewer'),
  'POST /dashboard/api/campaigns': only(
    'editor',
    ...[(theirs: Ids) => theirs, (_theirs: Ids, own: Ids) => own].map((whose) =>
      ask((theirs, own) => ({
        body: {
          name: 'A campaign',
          messaging_account_id: whose(theirs, own).messaging_account_id,
          template: { name: theirs.template_name, language: LANGUAGE },
        },
      })),
    ),
  ),
  'GET /dashboard/api/campaigns/:campaign_id': only('viewer', IN_PATH),
  'GET /dashboard/api/campaigns/:campaign_id/rest': only('viewer', IN_PATH),
  'GET /dashboard/api/campaigns/:campaign_id/rows': only('viewer', IN_PATH),
  'GET /dashboard/api/campaigns/:campaign_id/faults': only('viewer', IN_PATH),
  'PATCH /dashboard/api/campaigns/:campaign_id': only(
    'editor',
    ask(({ campaign_revision: revision }) => ({ body: { revision, name: 'Another name' } })),
    ask(({ messaging_account_id }, { campaign_id, campaign_revision: revision }) => ({
      path: { campaign_id },
      body: { revision, messaging_account_id },
    })),
    ask(({ template_name: name }, { campaign_id, campaign_revision: revision }) => ({
      path: { campaign_id },
      body: { revision, template: { name, language: LANGUAGE } },
    })),
  ),
  'POST /dashboard/api/uploads/campaigns/:campaign_id': only(
    'editor',
    ask(() => CSV),
  ),
  'POST /dashboard/api/campaigns/:campaign_id/check': only('editor', IN_PATH),
  'POST /dashboard/api/campaigns/:campaign_id/start': only(
    'editor',
    ask(({ campaign_revision: revision }) => ({ body: { revision, leave_out_faulty: true } })),
  ),
  'POST /dashboard/api/campaigns/:campaign_id/pause': only('editor', IN_PATH),
  'POST /dashboard/api/campaigns/:campaign_id/resume': only('editor', IN_PATH),
  'POST /dashboard/api/campaigns/:campaign_id/cancel': only('editor', IN_PATH),
  'DELETE /dashboard/api/campaigns/:campaign_id': only('editor', IN_PATH),
};

const businessAccount = ({ business_account_id: id }: Ids) => ({ path: { id } });

const NUMBERS: Record<string, RouteCase> = {
  'GET /dashboard/api/numbers': plain('viewer'),
  'GET /dashboard/api/numbers/webhook': plain('viewer'),
  'GET /dashboard/api/numbers/webhook/verify-token': plain('owner'),
  'POST /dashboard/api/numbers/holds/:hold_id/lift': only('editor', IN_PATH),
  'POST /dashboard/api/numbers/:messaging_account_id/move': only(
    'owner',
    ask((_theirs, { business_account_id }) => ({ body: { business_account_id } })),
    ask(({ business_account_id }, { messaging_account_id }) => ({
      path: { messaging_account_id },
      body: { business_account_id },
    })),
  ),
  'POST /dashboard/api/numbers/business-accounts/test': only(
    'owner',
    ask(({ business_account_id }, { waba_id }) => ({ body: { business_account_id, waba_id } })),
    ask(({ waba_id }, { business_account_id }) => ({ body: { business_account_id, waba_id } }), 400),
  ),
  'POST /dashboard/api/numbers/business-accounts': only(
    'owner',
    ask(({ waba_id }, own) => ({ body: { ...account(own), waba_id } }), 400),
  ),
  'PATCH /dashboard/api/numbers/business-accounts/:id': only(
    'owner',
    ask((theirs) => ({ ...businessAccount(theirs), body: { app_id: '1' } })),
  ),
  'POST /dashboard/api/numbers/test': only(
    'owner',
    ask(({ business_account_id }, { phone_number_id }) => ({
      body: { business_account_id, phone_number_id },
    })),
    ask(
      ({ phone_number_id }, { business_account_id }) => ({ body: { business_account_id, phone_number_id } }),
      400,
    ),
  ),
  'POST /dashboard/api/numbers': only(
    'owner',
    ask(({ business_account_id }, own) => ({ body: { ...number(own), business_account_id } })),
    ask(({ phone_number_id }, own) => ({ body: { ...number(own), phone_number_id } }), 400),
  ),
  'PATCH /dashboard/api/numbers/:messaging_account_id': only(
    'owner',
    inPathWith({ name: 'Another name' }),
    ask(
      ({ phone_number_id }, { messaging_account_id }) => ({
        path: { messaging_account_id },
        body: { phone_number_id },
      }),
      400,
    ),
  ),
};

const LIMIT = { period: 'day', currency: 'USD', amount: '100' };

const SETTINGS: Record<string, RouteCase> = {
  'GET /dashboard/api/audit-log': {
    ...plain('owner'),
    asks: [ask(({ user_id }) => ({ query: { user_id } }), 200)],
  },
  'GET /dashboard/api/audit-log/facets': plain('owner'),
  'GET /dashboard/api/rate-cards': plain('viewer'),
  'POST /dashboard/api/rate-cards': plain('operator', { body: { csv: 'no card' } }),
  'POST /dashboard/api/uploads/rate-card': plain('operator', CSV),
  'GET /dashboard/api/api-keys': plain('owner'),
  'POST /dashboard/api/api-keys': plain('owner', { body: { name: 'A key' } }),
  'DELETE /dashboard/api/api-keys/:api_key_id': only('owner', IN_PATH),
  'GET /dashboard/api/webhook-endpoints': plain('owner'),
  'POST /dashboard/api/webhook-endpoints': plain('owner', { body: { url: 'no address' } }),
  'PATCH /dashboard/api/webhook-endpoints/:webhook_endpoint_id': only(
    'owner',
    inPathWith({ description: 'x' }),
  ),
  'DELETE /dashboard/api/webhook-endpoints/:webhook_endpoint_id': only('owner', {
    ...IN_PATH,
    worksOnce: false,
  }),
  'POST /dashboard/api/webhook-endpoints/:webhook_endpoint_id/rotate-secret': only('owner', IN_PATH),
  'POST /dashboard/api/webhook-endpoints/:webhook_endpoint_id/test': only('owner', IN_PATH),
  'GET /dashboard/api/webhook-endpoints/:webhook_endpoint_id/deliveries': only('owner', IN_PATH),
  'GET /dashboard/api/spend-limits': plain('owner'),
  'PUT /dashboard/api/spend-limits': only(
    'owner',
    ask(({ messaging_account_id }) => ({ body: { ...LIMIT, messaging_account_id } })),
    ask(({ api_key_id }) => ({ body: { ...LIMIT, api_key_id } })),
  ),
  'DELETE /dashboard/api/spend-limits/:spend_limit_id': only('owner', { ...IN_PATH, worksOnce: false }),
  'GET /dashboard/api/users': plain('owner'),
  // An address of another tenant's user is refused as taken, since an address signs in to one tenant only.
  'POST /dashboard/api/users': plain('owner', {
    body: { email: 'no address', role: 'viewer', password: PASSWORD },
  }),
  'PATCH /dashboard/api/users/:user_id': only('owner', inPathWith({ role: 'editor' })),
  'PUT /dashboard/api/users/:user_id/password': only('owner', inPathWith({ password: PASSWORD })),
  'DELETE /dashboard/api/users/:user_id': only('owner', IN_PATH),
  'DELETE /dashboard/api/users/:user_id/second-factor': only('owner', IN_PATH),
};

/** By the name of each route, how requests ask it for another tenant's things. A new route needs its own line. */
export const TENANT_CASES: Record<string, RouteCase> = {
  ...API,
  ...SESSIONS,
  ...MESSAGES,
  ...TEMPLATES,
  ...CAMPAIGNS,
  ...OPT_OUTS,
  ...NUMBERS,
  ...SETTINGS,
};

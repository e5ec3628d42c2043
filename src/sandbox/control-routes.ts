import { type NextFunction, type Request, type Response, Router, json, text } from 'express';
import { parse } from 'lossless-json';
import { GraphError } from './graph-error.js';
import type { GraphParts } from './graph-parts.js';
import type { PushedEvents } from './pushed-events.js';
import type { RecipientActions } from './recipient-actions.js';
import { RECIPIENTS, exampleNumber } from './recipients.js';
import type { SandboxClock } from './sandbox-clock.js';
import type { SandboxControl, SandboxFault } from './sandbox-control.js';
import type { SandboxNumber, SandboxState, StoredAccount } from './sandbox-state.js';
import { isObject } from './send-request.js';

type Fields = Record<string, unknown>;
type ControlParts = Pick<GraphParts, 'state' | 'control' | 'recipients' | 'pushed' | 'clock'>;

/** The provider's side over HTTP, beneath `/control`; documented on the index page. No token is needed. */
export function controlRoutes({ state, control, recipients, pushed, clock }: ControlParts): Router {
  const router = Router();
  // Before the JSON parser: a value may hold ids of more than 53 bits.
  router.post('/webhooks', text({ type: 'application/json', limit: '4mb' }), (request, response) => {
    const { wabaId, field, value } = parseLossless(request.body);
    if (typeof field !== 'string' || !isObject(value))
      throw new GraphError(100, 'field and value are required.');
    control.sendWebhook(String(wabaId ?? onlyAccount(state)), field, value);
    response.json({ success: true });
  });
  router.use(json({ limit: '1mb' }), objectsOnly);
  addLists(router, state);
  addTemplateCommands(router, control);
  addAccountCommands(router, control);
  addRecipientCommands(router, recipients);
  addEventCommands(router, pushed);
  addClockCommands(router, clock);
  return router;
}

function addLists(router: Router, state: SandboxState): void {
  router.get('/accounts', (_request, response) => {
    const accounts = [...state.accounts.values()];
    response.json({ data: accounts.map(({ accessToken: _token, appSecret: _secret, ...shown }) => shown) });
  });
  router.get('/templates', (_request, response) => {
    const records = [...state.templates.values()];
    response.json({ data: records.map(({ wabaId, template }) => ({ wabaId, ...template })) });
  });
  router.get('/recipients', (_request, response) => {
    response.json({
      data: RECIPIENTS.map((recipient) => ({ ...recipient, example: exampleNumber(recipient) })),
    });
  });
}

function addTemplateCommands(router: Router, control: SandboxControl): void {
  router.post('/templates/:template/status', (request, response) => {
    const { status, reason, title, language } = textFields(request.body);
    response.json(
      control.setTemplateStatus(request.params.template, status ?? '', { reason, title, language }),
    );
  });
  router.post('/templates/:template/quality', (request, response) => {
    const { score, language } = textFields(request.body);
    response.json(control.setQuality(request.params.template, score ?? '', language));
  });
  router.post('/templates/:template/category', (request, response) => {
    const { category, language } = textFields(request.body);
    const warning = (request.body as Fields).warning === true;
    response.json(control.setCategory(request.params.template, category ?? '', { warning, language }));
  });
}

function addRecipientCommands(router: Router, recipients: RecipientActions): void {
  router.post('/recipients/:phone/preference', (request, response) => {
    const { waba_id: wabaId = '', value = '' } = textFields(request.body);
    recipients.setPreference(wabaId, request.params.phone, value);
    response.json({ success: true });
  });
  router.post('/recipients/:phone/messages', (request, response) => {
    const {
      phone_number_id: number = '',
      text: said = '',
      in_reply_to: to,
      payload,
    } = textFields(request.body);
    recipients.write(number, request.params.phone, said, { to, payload });
    response.json({ success: true });
  });
}

function addEventCommands(router: Router, pushed: PushedEvents): void {
  router.post('/events', (request, response) => {
    pushed.setAnswer(textFields(request.body).answer);
    response.json({ answer: pushed.answer });
  });
  router.post('/events/secret', (request, response) => {
    pushed.addSecret(textFields(request.body).secret ?? '');
    response.json({ success: true });
  });
  router.post('/events/endpoint', async ({ socket }, response) => {
    const address = socket.localAddress?.replace('::ffff:', '') ?? '127.0.0.1';
    await pushed.link(
      `http://${address.includes(':') ? `[${address}]` : address}:${socket.localPort}/events`,
    );
    response.json({ success: true });
  });
}

function addClockCommands(router: Router, clock: SandboxClock): void {
  const describe = () => ({ now: clock.now, ahead: clock.ahead, movable: clock.isMovable });
  router.get('/clock', (_request, response) => {
    response.json(describe());
  });
  router.post('/clock', (request, response) => {
    clock.forward(textFields(request.body).forward ?? '');
    response.json(describe());
  });
}

function addAccountCommands(router: Router, control: SandboxControl): void {
  router.post('/numbers', (request, response) => {
    const { phone = '', name = 'Sandbox', waba_id: wabaId } = textFields(request.body);
    const { account, number } = control.addNumber(phone, name, wabaId);
    response.json({ ...presentAccount(account), ...presentNumber(number) });
  });
  router.post('/numbers/:phoneNumberId/move', (request, response) => {
    const { waba_id: wabaId = '' } = textFields(request.body);
    const { account, number } = control.moveNumber(request.params.phoneNumberId, wabaId);
    response.json({ ...presentAccount(account), ...presentNumber(number) });
  });
  router.post('/accounts/:wabaId/clone', (request, response) => {
    response.json(presentAccount(control.cloneAccount(request.params.wabaId)));
  });
  router.post('/accounts/:wabaId/token', (request, response) => {
    const { revoked } = request.body as Fields;
    if (typeof revoked !== 'boolean') throw new GraphError(100, 'revoked must be true or false.');
    if (revoked) control.revokeToken(request.params.wabaId);
    else control.restoreToken(request.params.wabaId);
    response.json({ success: true, revoked });
  });
  router.post('/accounts/:wabaId/webhook', async (request, response) => {
    const { url = '', verify_token: token } = textFields(request.body);
    if (token === undefined) control.setWebhook(request.params.wabaId, url);
    else await control.subscribe(request.params.wabaId, url, token);
    response.json({ success: true });
  });
  router.post('/faults', (request, response) => {
    const { mode, delay } = request.body as Fields;
    const isDelay = typeof delay === 'number' && delay >= 0 && delay <= 600_000;
    if (delay !== undefined && !isDelay) throw new GraphError(100, 'delay must be 0 to 600000 milliseconds.');
    control.setFault({ mode, delay } as SandboxFault);
    response.json(control.fault);
  });
}

/** What one has to enter in the service to add the account. */
function presentAccount({ wabaId, appId, accessToken, appSecret }: StoredAccount) {
  return { waba_id: wabaId, app_id: appId, access_token: accessToken, app_secret: appSecret };
}

function presentNumber({ phoneNumberId, displayPhoneNumber }: SandboxNumber) {
  return { phone_number_id: phoneNumberId, phone: displayPhoneNumber };
}

function objectsOnly(request: Request, _response: Response, next: NextFunction): void {
  if (request.method === 'POST' && !isObject(request.body)) {
    throw new GraphError(100, 'The request body must be a JSON object, its type application/json.');
  }
  next();
}

/** The fields of a body that are texts; others count as absent. */
function textFields(body: unknown): Partial<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(isObject(body) ? body : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

function parseLossless(body: unknown): Fields {
  try {
    const parsed = parse(String(body));
    if (isObject(parsed)) return parsed;
  } catch {
    // Answered below, as any other wrong body.
  }
  throw new GraphError(100, 'The request body must be a JSON object, its type application/json.');
}

function onlyAccount(state: SandboxState): string {
  const [first, second] = state.accounts.keys();
  if (first !== undefined && second === undefined) return first;
  throw new GraphError(100, 'wabaId is required.');
}

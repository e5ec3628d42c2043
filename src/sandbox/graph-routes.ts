import { type Request, type Response, Router, json } from 'express';
import type { WireTemplate } from '../provider/wire.js';
import type { GraphAccess } from './graph-access.js';
import { unknownObject } from './graph-error.js';
import type { RateLimits } from './rate-limits.js';
import type { SandboxControl, SandboxFault } from './sandbox-control.js';
import type { SandboxNumber, SandboxState, StoredAccount } from './sandbox-state.js';
import { type Sending, messagesPerSecond } from './sending.js';
import type { TemplateCatalog } from './template-catalog.js';
import { fieldPicker, listTemplates } from './template-listing.js';
import type { Timers } from './timers.js';

export interface GraphParts {
  state: SandboxState;
  access: GraphAccess;
  limits: RateLimits;
  sending: Sending;
  catalog: TemplateCatalog;
  control: SandboxControl;
  timers: Timers;
}

const DEFAULT_FAULT_DELAY = 3000;
const STANDARD_MESSAGES_PER_SECOND = 80;

/** The Graph API's routes for messages, templates and numbers, beneath `/{version}`. */
export function graphRoutes(parts: GraphParts): Router {
  const router = Router({ mergeParams: true });
  router.use(json({ limit: '1mb' }));
  addSendRoute(router, parts);
  addTemplateRoutes(router, parts);
  addAccountRoutes(router, parts);
  return router;
}

function addSendRoute(router: Router, { access, sending, control, timers }: GraphParts): void {
  router.post('/:id/messages', async (request, response) => {
    const { fault } = control;
    if (fault.mode === 'slow') {
      await new Promise<void>((resolve) => timers.after(fault.delay ?? DEFAULT_FAULT_DELAY, resolve));
    } else if (fault.mode !== 'none') {
      fail(response, fault);
      return;
    }
    const { account, number } = access.number(request, request.params.id);
    const outcome = sending.send(account, number, request.body);
    if (outcome.kind === 'answer') answerAfter(timers, outcome.delay, () => response.json(outcome.body));
    else if (outcome.kind === 'bare_status') response.status(outcome.status).end();
    else if (outcome.kind === 'drop') request.socket.destroy();
    // Silence: the request stays open until its caller gives up or the sandbox stops.
  });
}

function answerAfter(timers: Timers, delay: number, answer: () => void): void {
  if (delay > 0) timers.after(delay, answer);
  else answer();
}

function fail(response: Response, { mode }: SandboxFault): void {
  if (mode === 'error_500') response.status(500).end();
  if (mode === 'drop') response.socket?.destroy();
}

function addTemplateRoutes(router: Router, { state, access, limits, catalog }: GraphParts): void {
  const managed = (request: Request<{ id: string }>): StoredAccount => {
    const account = access.account(request, request.params.id);
    limits.takeManagementCall(account.wabaId);
    return account;
  };
  router.get('/:id/message_templates', (request, response) => {
    const { wabaId } = managed(request);
    const listUrl = `${baseUrl(request)}${request.baseUrl}${request.path}`;
    const records = state.templatesOf(wabaId);
    response.json(listTemplates(records, request.query, listUrl, withSampleUrls(request)));
  });
  router.post('/:id/message_templates', (request, response) => {
    response.json(catalog.create(managed(request), request.body));
  });
  router.delete('/:id/message_templates', (request, response) => {
    response.json(catalog.remove(managed(request), request.query.name, request.query.hsm_id));
  });
  router.post('/:id', (request, response) => {
    const record = access.template(request, request.params.id);
    if (!record) throw unknownObject(request.params.id);
    limits.takeManagementCall(record.wabaId);
    response.json(catalog.edit(record, request.body));
  });
}

function addAccountRoutes(router: Router, { access }: GraphParts): void {
  router.get('/:id/phone_numbers', (request, response) => {
    const { numbers } = access.account(request, request.params.id);
    response.json({ data: numbers.map(presentNumber) });
  });
  router.get('/:id', (request, response) => {
    const { id } = request.params;
    const record = access.template(request, id);
    if (record)
      return response.json(fieldPicker(request.query.fields)(withSampleUrls(request)(record.template)));
    const accounts = access.accounts(request);
    const account = accounts.find(({ wabaId }) => wabaId === id);
    if (account) return response.json(pick(presentAccount(account), request.query.fields));
    const number = accounts
      .flatMap(({ numbers }) => numbers)
      .find(({ phoneNumberId }) => phoneNumberId === id);
    if (!number) throw unknownObject(id);
    response.json(pick(presentNumber(number), request.query.fields));
  });
}

function presentAccount({ wabaId, name, numbers, portfolioId }: StoredAccount): Record<string, unknown> {
  const shown = name ?? numbers[0]?.verifiedName ?? wabaId;
  return {
    id: wabaId,
    name: shown,
    ...(portfolioId !== undefined && { owner_business_info: { id: portfolioId, name: shown } }),
  };
}

function presentNumber(number: SandboxNumber): Record<string, unknown> {
  return {
    id: number.phoneNumberId,
    display_phone_number: number.displayPhoneNumber,
    verified_name: number.verifiedName,
    quality_rating: number.qualityRating ?? 'GREEN',
    status: number.status ?? 'CONNECTED',
    messaging_limit_tier: number.messagingLimit ?? 'TIER_10K',
    whatsapp_business_manager_messaging_limit: number.messagingLimit ?? 'TIER_10K',
    throughput: { level: messagesPerSecond(number) > STANDARD_MESSAGES_PER_SECOND ? 'HIGH' : 'STANDARD' },
  };
}

function pick(object: Record<string, unknown>, fields: unknown): Record<string, unknown> {
  if (typeof fields !== 'string') return object;
  const wanted = new Set(['id', ...fields.split(',').map((field) => field.trim())]);
  return Object.fromEntries(Object.entries(object).filter(([name]) => wanted.has(name)));
}

function baseUrl(request: Request<Record<string, string>>): string {
  return `${request.protocol}://${request.get('host') ?? 'localhost'}`;
}

/** Lists a header's sample as a URL: the provider takes an upload's handle and shows where it keeps the file. */
function withSampleUrls(request: Request<{ id: string }>): (template: WireTemplate) => WireTemplate {
  const toUrl = (handle: string): string =>
    /^https?:/i.test(handle) ? handle : `${baseUrl(request)}/files/${encodeURIComponent(handle)}`;
  return (template) => ({
    ...template,
    components: template.components.map((component) => {
      const handles = component.example?.header_handle;
      if (!Array.isArray(handles)) return component;
      return { ...component, example: { ...component.example, header_handle: handles.map(toUrl) } };
    }),
  });
}

import type { Request, Router } from 'express';
import { ACCOUNT, NUMBER, PROFILE, TEMPLATE, fieldPicker } from './field-picker.js';
import { GraphError, unknownObject } from './graph-error.js';
import type { GraphParts } from './graph-parts.js';
import type { SandboxNumber, StoredAccount } from './sandbox-state.js';
import { isObject } from './send-request.js';
import { messagesPerSecond } from './sending.js';
import { managedAccount, withSampleUrls } from './template-routes.js';

const STANDARD_MESSAGES_PER_SECOND = 80;

/** The routes for business accounts, their numbers and any object by its id, below `/{version}`. */
export function addAccountRoutes(router: Router, parts: GraphParts): void {
  addSubscriptionRoutes(router, parts);
  addProfileRoutes(router, parts);
  const { access } = parts;
  router.get('/:id/phone_numbers', (request, response) => {
    const { numbers } = managedAccount(parts, request, response);
    const pick = fieldPicker(NUMBER, request.query.fields);
    response.json(listOf(numbers.map((number) => pick(presentNumber(number)))));
  });
  router.get('/:id', (request, response) => {
    const { id } = request.params;
    const { fields } = request.query;
    const record = access.template(request, id);
    if (record) return response.json(fieldPicker(TEMPLATE, fields)(withSampleUrls(request)(record.template)));
    const accounts = access.accounts(request);
    const account = accounts.find(({ wabaId }) => wabaId === id);
    if (account) return response.json(fieldPicker(ACCOUNT, fields)(presentAccount(account)));
    const number = accounts
      .flatMap(({ numbers }) => numbers)
      .find(({ phoneNumberId }) => phoneNumberId === id);
    if (!number) throw unknownObject(id);
    response.json(fieldPicker(NUMBER, fields)(presentNumber(number)));
  });
}

/** Routes for the apps that get the account's webhooks: there is only the app of its token. */
function addSubscriptionRoutes(router: Router, parts: GraphParts): void {
  const { control } = parts;
  router.get('/:id/subscribed_apps', (request, response) => {
    const account = managedAccount(parts, request, response);
    response.json(listOf(account.unsubscribed ? [] : [presentApp(account)]));
  });
  router.post('/:id/subscribed_apps', async (request, response) => {
    const { wabaId } = managedAccount(parts, request, response);
    const { override_callback_uri: url, verify_token: token } = fieldsOf(request);
    if (url !== undefined) await control.subscribe(wabaId, String(url), String(token));
    control.setSubscribed(wabaId, true);
    response.json({ success: true });
  });
  router.delete('/:id/subscribed_apps', (request, response) => {
    control.setSubscribed(managedAccount(parts, request, response).wabaId, false);
    response.json({ success: true });
  });
}

function addProfileRoutes(router: Router, { access, state }: GraphParts): void {
  router.get('/:id/whatsapp_business_profile', (request, response) => {
    const { number } = access.number(request, request.params.id);
    const pick = fieldPicker(PROFILE, request.query.fields, 'messaging_product');
    response.json({ data: [pick({ messaging_product: 'whatsapp', ...number.profile })] });
  });
  router.post('/:id/whatsapp_business_profile', (request, response) => {
    const { number } = access.number(request, request.params.id);
    const { messaging_product: product, ...changes } = fieldsOf(request);
    if (product !== 'whatsapp') throw new GraphError(100, 'The parameter messaging_product is required.');
    const unknown = Object.keys(changes).find((name) => !PROFILE.fields.has(name));
    if (unknown !== undefined) throw new GraphError(100, `Param ${unknown.slice(0, 100)} is not known.`);
    number.profile = { ...number.profile, ...changes };
    state.onChange();
    response.json({ success: true });
  });
}

function fieldsOf({ body }: Pick<Request, 'body'>): Record<string, unknown> {
  return isObject(body) ? body : {};
}

/** A list that fits on one page. */
function listOf(data: Record<string, unknown>[]): object {
  if (data.length === 0) return { data };
  return { data, paging: { cursors: { before: cursorOf(0), after: cursorOf(data.length - 1) } } };
}

function cursorOf(index: number): string {
  return Buffer.from(`item:${index}`).toString('base64');
}

function presentApp({ appId, name }: StoredAccount): Record<string, unknown> {
  const link = `https://www.facebook.com/games/?app_id=${appId}`;
  return { whatsapp_business_api_data: { id: appId, link, name: name ?? 'Sandbox app' } };
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
  const quality = number.qualityRating ?? 'GREEN';
  return {
    id: number.phoneNumberId,
    display_phone_number: number.displayPhoneNumber,
    verified_name: number.verifiedName,
    code_verification_status: 'VERIFIED',
    platform_type: 'CLOUD_API',
    quality_rating: quality,
    quality_score: { score: quality },
    status: number.status ?? 'CONNECTED',
    messaging_limit_tier: number.messagingLimit ?? 'TIER_10K',
    whatsapp_business_manager_messaging_limit: number.messagingLimit ?? 'TIER_10K',
    throughput: { level: messagesPerSecond(number) > STANDARD_MESSAGES_PER_SECOND ? 'HIGH' : 'STANDARD' },
  };
}

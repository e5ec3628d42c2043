import type { Request, Response, Router } from 'express';
import type { WireTemplate } from '../provider/wire.js';
import { unknownObject } from './graph-error.js';
import type { GraphParts } from './graph-parts.js';
import type { StoredAccount } from './sandbox-state.js';
import { listTemplates } from './template-listing.js';

/** The routes for templates, beneath `/{version}`. */
export function addTemplateRoutes(router: Router, parts: GraphParts): void {
  const { state, access, catalog } = parts;
  router.get('/:id/message_templates', (request, response) => {
    const { wabaId } = managedAccount(parts, request, response);
    const listUrl = `${baseUrl(request)}${request.baseUrl}${request.path}`;
    const records = state.templatesOf(wabaId);
    response.json(listTemplates(records, request.query, listUrl, withSampleUrls(request)));
  });
  router.post('/:id/message_templates', (request, response) => {
    response.json(catalog.create(managedAccount(parts, request, response), request.body));
  });
  router.delete('/:id/message_templates', (request, response) => {
    const account = managedAccount(parts, request, response);
    response.json(catalog.remove(account, request.query.name, request.query.hsm_id));
  });
  router.post('/:id', (request, response) => {
    const record = access.template(request, request.params.id);
    if (!record) throw unknownObject(request.params.id);
    takeCall(parts, response, record.wabaId);
    response.json(catalog.edit(record, request.body));
  });
}

/** The business account of the path; counts the request as a management call. Throws 100 or 80007. */
export function managedAccount(
  parts: GraphParts,
  request: Request<{ id: string }>,
  response: Response,
): StoredAccount {
  const account = parts.access.account(request, request.params.id);
  takeCall(parts, response, account.wabaId);
  return account;
}

/** Counts a management call, and sets the usage headers, also when the call is refused. */
function takeCall({ limits }: GraphParts, response: Response, wabaId: string): void {
  try {
    limits.takeManagementCall(wabaId);
  } finally {
    const usage = { type: 'whatsapp', ...limits.usageOf(wabaId) };
    response.set('x-business-use-case-usage', JSON.stringify({ [wabaId]: [usage] }));
  }
}

/** Shows a header's sample as a URL: the provider takes an upload's handle, and lists the file's address. */
export function withSampleUrls(request: Request<{ id: string }>): (template: WireTemplate) => WireTemplate {
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

function baseUrl(request: Request<Record<string, string>>): string {
  return `${request.protocol}://${request.get('host') ?? 'localhost'}`;
}

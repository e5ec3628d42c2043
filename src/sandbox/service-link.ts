import { GraphError } from './graph-error.js';

/** The service that the sandbox belongs to, and a key of the tenant whose events it is to push. */
export interface LinkedService {
  url: string;
  apiKey: string;
}

interface Endpoint {
  webhook_endpoint_id: string;
  url: string;
}

const PATH = '/api/v1/webhook-endpoints';

/** Milliseconds for an answer. */
const PATIENCE = 10_000;

/**
 * Makes an endpoint of the tenant for an address, by the service's API as anybody would. One that is there already is
 * enabled and gets another secret.
 * @returns its secret
 * @throws GraphError 100 in the service's words
 */
export async function linkEndpoint(service: LinkedService, url: string): Promise<string> {
  const known = (await call<Endpoint[]>(service, 'GET', PATH)).find((endpoint) => endpoint.url === url);
  if (!known) {
    const description = 'The sandbox, which shows what was pushed';
    return (await call<{ secret: string }>(service, 'POST', PATH, { url, description })).secret;
  }
  const path = `${PATH}/${known.webhook_endpoint_id}`;
  await call(service, 'PATCH', path, { enabled: true });
  return (await call<{ secret: string }>(service, 'POST', `${path}/rotate-secret`)).secret;
}

async function call<Data>(
  service: LinkedService,
  method: string,
  path: string,
  body?: object,
): Promise<Data> {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.apiKey}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(PATIENCE),
  }).catch(() => {
    throw new GraphError(100, 'The service does not answer.');
  });
  const { data, error } = (await answer.json()) as { data: Data; error?: { message: string } };
  if (error) throw new GraphError(100, error.message);
  return data;
}

import fc from 'fast-check';
import { acceptanceFaults } from './accepted.js';
import { apiRequest } from './api-requests.js';
import { documentationFaults, type Operation, OPERATIONS } from './documented-api.js';
import { rendered, usually } from './draft-request.js';
import { report } from './hunt.js';
import { envelopeFaults } from './oracle.js';
import { ask, curlOf, type FuzzAnswer, type FuzzRequest } from './request.js';
import type { World } from './world.js';

/** Whether a request is sent a second time, in a form that src/app/hot-routes.ts leaves to Express. */
const goesTwice = usually(2, fc.constant(false), fc.constant(true));

/** Each request to the public API is answered as documented, and each accepted send is a message with one charge. */
export const apiProperty = (world: World) =>
  fc.asyncProperty(apiRequest, goesTwice, async (draft, isTwice) => {
    const { url } = world.service;
    const request = await rendered(draft, world);
    const answer = await ask(url, request);
    report(await faultsOf(request, answer, world), curlOf(url, request));
    if (!isTwice || !hasTwoWays(request)) return;
    const other = theLongWay(request);
    report(differences(answer, await ask(url, other)), curlOf(url, other));
  });

async function faultsOf(request: FuzzRequest, answer: FuzzAnswer, world: World): Promise<string[]> {
  const faults = envelopeFaults(request, answer);
  const operation = operationOf(request, answer);
  if (operation) faults.push(...documentationFaults(operation, request, answer));
  else if (answer.status > 0 && answer.status < 400)
    faults.push(`${answer.status} for what is not documented`);
  if (answer.status !== 202 || !operation || faults.length > 0) return faults;
  return acceptanceFaults(operation, request, answer, world);
}

/** The operation that a request is for. Another spelling of its path may be a path that does not exist. */
function operationOf({ method, path }: FuzzRequest, { status }: FuzzAnswer): Operation | undefined {
  const [asked = ''] = path.split('?', 1);
  return OPERATIONS.find((operation) => {
    const pattern = operation.path.replaceAll(/\{\w+\}/g, '[^/]+');
    const isSame = method === operation.method || (method === 'HEAD' && operation.method === 'GET');
    const isSpelledSo = new RegExp(`^${pattern}$`).test(asked);
    return isSame && (isSpelledSo || (status !== 404 && new RegExp(`^${pattern}/?$`, 'i').test(asked)));
  });
}

const HOT = /^\/api\/v1\/(messages\/send|templates)(\?|$)/;

/** Whether both ways should give the same answer: not for a repeated key, nor for a body without bytes. */
function hasTwoWays({ method, path, headers, body }: FuzzRequest): boolean {
  if (headers['Idempotency-Key'] !== undefined || /^\ufeff?$/.test(body?.toString() ?? 'none')) return false;
  if (!body && headers['Content-Encoding'] !== undefined) return false;
  return HOT.test(path) && (method === 'POST' || method === 'GET');
}

function theLongWay(request: FuzzRequest): FuzzRequest {
  return request.body === undefined
    ? { ...request, headers: { ...request.headers, 'Content-Length': '0' } }
    : { ...request, chunked: true };
}

/** The differences between the answers of both ways. */
function differences(one: FuzzAnswer, other: FuzzAnswer): string[] {
  const [first, second] = [seen(one), seen(other)];
  return first === second
    ? []
    : [`it is answered otherwise: ${first} when it is plain, ${second} when it is not`];
}

/** The answer without the parts that differ from one request to the next. */
function seen({ status, text, headers }: FuzzAnswer): string {
  const masked = text.replaceAll(/"(message_log_id|request_id)":("[^"]*"|\d+)/g, '"$1":…');
  const { etag, 'content-type': type, 'cache-control': caching } = headers;
  return JSON.stringify({ status, etag, type, caching, masked });
}

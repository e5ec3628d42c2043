import fc from 'fast-check';
import { acceptanceFaults } from './accepted.js';
import { apiRequest } from './api-requests.js';
import { documentationFaults, type Operation, OPERATIONS } from './documented-api.js';
import { rendered, usually } from './draft-request.js';
import { report } from './hunt.js';
import { envelopeFaults } from './oracle.js';
import { ask, curlOf, type FuzzAnswer, type FuzzRequest } from './request.js';
import type { World } from './world.js';

/** Whether a request is sent a second time, to a service on stock Express. */
const goesTwice = usually(2, fc.constant(false), fc.constant(true));

/** Each request to the public API is answered as documented, and each accepted send is a message with one charge. */
export const apiProperty = (world: World) =>
  fc.asyncProperty(apiRequest, goesTwice, async (draft, isTwice) => {
    const { url } = world.service;
    const stock = await world.stock();
    const request = await rendered(draft, world);
    const answer = await ask(url, request);
    report(await faultsOf(request, answer, world), curlOf(url, request));
    if (isTwice && isComparable(request))
      report(differences(answer, await ask(stock, request)), curlOf(stock, request));
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

/** Where nothing changes from one request to the next. */
const SAME_AGAIN = /^\/api\/v1\/(messages\/send|templates)\b/;

/** Whether both should answer alike: not for a repeated key, nor for a packed body, which only Express unpacks. */
function isComparable({ path, headers }: FuzzRequest): boolean {
  const isOther = headers['Idempotency-Key'] !== undefined || headers['Content-Encoding'] !== undefined;
  return !isOther && SAME_AGAIN.test(path);
}

/** The differences between both answers. */
function differences(one: FuzzAnswer, other: FuzzAnswer): string[] {
  const [first, second] = [seen(one), seen(other)];
  return first === second ? [] : [`it is answered by ${first}, by stock Express with ${second}`];
}

/** The answer without the parts that differ from one request to the next. */
function seen({ status, text, headers }: FuzzAnswer): string {
  const masked = text.replaceAll(/"(message_log_id|request_id)":("[^"]*"|\d+)/g, '"$1":…');
  const { etag, 'content-type': type, 'cache-control': caching } = headers;
  return JSON.stringify({ status, etag, type, caching, masked });
}

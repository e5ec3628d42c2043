import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../common/errors.js';

/** What the body of a request has to be. */
export interface BodyRules {
  /** JSON is parsed; raw bytes are handed on as they came, whatever they are. */
  form: 'json' | 'raw';
  /** Bytes at most. */
  limit: number;
}

/** As almost all say it. */
const JSON_IN_UTF8 = /^application\/json(; ?charset=utf-8)?$/i;

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/**
 * The body of a request: undefined when it has none. What it says of itself is looked at before it is read.
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_JSON; VALIDATION_FAILED when it is cut off
 */
export function readBody(request: Request, { form, limit }: BodyRules): unknown {
  if (!saysLength(request)) return undefined;
  if (form === 'json') requireJson(request);
  if (Number(request.headers['content-length']) > limit) throw tooLarge();
  requireUnpacked(request, form);
  const bytes = readBytes(request, limit);
  return form === 'json' ? bytes.then(parseJson) : bytes;
}

/** The same for Express. */
export function bodyReader(rules: BodyRules): RequestHandler {
  return async (request, _response, next) => {
    request.body = await readBody(request, rules);
    next();
  };
}

/** Whether there is a body, be it an empty one. */
function saysLength({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** A body that has no bytes may call itself anything; so may that of a GET request, which nobody reads. */
function requireJson(request: Request): void {
  const { method, headers } = request;
  if (JSON_IN_UTF8.test(headers['content-type'] ?? '')) return;
  const hasBytes = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
  if (method === 'GET' || !hasBytes || request.is('application/json')) return;
  throw new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as JSON, with "Content-Type: application/json".',
  );
}

function requireUnpacked({ headers }: IncomingMessage, form: BodyRules['form']): void {
  const coding = headers['content-encoding'] ?? 'identity';
  const charset = form === 'json' ? CHARSET.exec(headers['content-type'] ?? '')?.[1] : undefined;
  if (coding.toLowerCase() === 'identity' && (charset ?? 'utf-8').toLowerCase() === 'utf-8') return;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body in UTF-8 without an unusual Content-Encoding.');
}

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const cutOff = () => reject(new ApiError('VALIDATION_FAILED', 'The body was cut off.'));
    if (request.destroyed) return cutOff();
    request
      .on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > limit)
          reject(tooLarge()); // Node reads on, so that the connection can be kept
        else chunks.push(chunk);
      })
      .on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
      .on('error', cutOff); // Node's, or the gate's: whatever ends a body early ends it by one
  });
}

const utf8 = new TextDecoder();

/** What has no bytes says nothing: it is an object without fields. */
function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ApiError('INVALID_JSON', 'The body is not JSON.');
  }
}

const tooLarge = () => new ApiError('PAYLOAD_TOO_LARGE', 'The body is larger than the service takes.');

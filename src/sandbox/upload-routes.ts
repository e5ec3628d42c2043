import { createHash, randomBytes } from 'node:crypto';
import { type NextFunction, type Request, type Response, Router, json, raw } from 'express';
import type { FileStore, StoredFile } from './file-store.js';
import type { GraphAccess } from './graph-access.js';
import { GraphError, unknownObject } from './graph-error.js';
import { newObjectId } from './ids.js';
import type { SandboxState, StoredAccount, StoredUpload } from './sandbox-state.js';
import { isObject } from './send-request.js';

interface UploadSession {
  appId: string;
  name: string;
  type: string;
  length: number;
  bytes: Buffer;
}

const LARGEST_UPLOAD = 100 * 1024 * 1024;
const MOST_SESSIONS = 100;
const SAMPLE_TYPES = new Set(['image/jpeg', 'image/jpg', 'image/png', 'video/mp4', 'application/pdf']);
const MEDIA_TYPES = /^(image\/(jpeg|png|webp)|video\/(mp4|3gpp)|audio\/\S+|text\/plain|application\/\S+)$/;

/** The parts of the sandbox that uploads need. */
export interface UploadParts {
  access: GraphAccess;
  state: SandboxState;
  files: FileStore;
}

/** Resumable uploads (template samples) and media uploads (files to send), beneath `/{version}`. */
export function uploadRoutes(parts: UploadParts): Router {
  const router = Router({ mergeParams: true });
  addSampleRoutes(router, parts);
  addMediaRoutes(router, parts);
  return router;
}

const readBytes = raw({ type: () => true, limit: LARGEST_UPLOAD });

function addSampleRoutes(router: Router, { access, state, files }: UploadParts): void {
  const sessions = new Map<string, UploadSession>();
  // Its parameters stand in the query, in a JSON body, or in both.
  router.post('/:id/uploads', json({ limit: '16kb' }), (request, response) => {
    const { appId } = access.app(request, request.params.id);
    const body = isObject(request.body) ? request.body : {};
    response.json({ id: openSession(sessions, appId, { ...body, ...request.query }) });
  });
  router.post('/:upload', uploadsOnly, readBytes, (request, response) => {
    const session = findSession(access, sessions, request);
    const handle = append(session, request, files);
    state.putUpload(handle, describe(session.appId, session));
    response.json({ h: handle });
  });
  router.get('/:upload', uploadsOnly, (request, response) => {
    const session = findSession(access, sessions, request);
    response.json({ id: request.params.upload, file_offset: session.bytes.length });
  });
}

function addMediaRoutes(router: Router, { access, state, files }: UploadParts): void {
  const findMedia = (request: Request<{ id: string }>): StoredUpload | undefined => {
    const upload = state.uploads.get(request.params.id);
    const owner = access.accounts(request).find(({ wabaId }) => wabaId === upload?.owner);
    const { phone_number_id: number } = request.query;
    const isOfNumber = (id: unknown) => owner?.numbers.some(({ phoneNumberId }) => phoneNumberId === id);
    if (owner && number !== undefined && !isOfNumber(number)) {
      throw new GraphError(100, 'Param phone_number_id is not a valid whatsapp business phone number id ID');
    }
    return owner && upload;
  };
  router.post('/:id/media', readBytes, async (request, response) => {
    const { account } = access.number(request, request.params.id);
    const file = await readMedia(request);
    const id = newObjectId();
    files.put(id, file);
    state.putUpload(id, describe(account.wabaId, file));
    response.json({ id });
  });
  router.get('/:id', (request, response, next) => {
    const media = findMedia(request);
    if (!media) return next();
    const { id } = request.params;
    const url = `${request.protocol}://${request.get('host') ?? 'localhost'}/files/${id}`;
    response.json({
      messaging_product: 'whatsapp',
      url,
      mime_type: media.type,
      sha256: media.sha256,
      file_size: media.size,
      id,
    });
  });
  router.delete('/:id', (request, response) => {
    if (!findMedia(request)) throw unknownObject(request.params.id);
    files.remove(request.params.id);
    state.removeUpload(request.params.id);
    response.json({ success: true });
  });
}

function describe(owner: string, { type, bytes: content }: Pick<StoredFile, 'type' | 'bytes'>): StoredUpload {
  return { owner, type, size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** Passes every other path, with its body unread, on to later routes. */
function uploadsOnly(request: Request<{ upload: string }>, _response: Response, next: NextFunction): void {
  if (request.params.upload.startsWith('upload:')) next();
  else next('route');
}

/** `GET /files/{handle or id}`: an uploaded file. Without one (after a restart, or for a seed), a sample picture. */
export function serveFile(files: FileStore): (request: Request<{ key: string }>, response: Response) => void {
  return (request, response) => {
    const file = files.get(request.params.key);
    // What was uploaded may be a page with a script in it.
    response.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    response.set('x-content-type-options', 'nosniff');
    if (file) response.type(file.type).send(file.bytes);
    else response.type('image/svg+xml').send(PLACEHOLDER_PICTURE);
  };
}

const PLACEHOLDER_PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360"><rect width="640" height="360" fill="#d9e8e2"/><path d="M0 360 220 150l130 120 90-80 200 170z" fill="#8fb9a8"/><circle cx="500" cy="90" r="42" fill="#f4d58d"/><text x="320" y="40" text-anchor="middle" font-family="sans-serif" font-size="20" fill="#3c5a50">Sample of the sandbox</text></svg>`;

function openSession(
  sessions: Map<string, UploadSession>,
  appId: string,
  { file_name: name, file_length: length, file_type: type }: Record<string, unknown>,
): string {
  if (!/^[1-9]\d{0,8}$/.test(String(length)) || Number(length) > LARGEST_UPLOAD) {
    throw new GraphError(100, `The parameter file_length is required, in bytes, at most ${LARGEST_UPLOAD}.`);
  }
  if (typeof type !== 'string' || !SAMPLE_TYPES.has(type)) {
    throw new GraphError(100, `The parameter file_type must be one of ${[...SAMPLE_TYPES].join(', ')}.`);
  }
  const id = `upload:${randomBytes(24).toString('base64url')}`;
  const session = {
    appId,
    name: String(name ?? 'sample'),
    type,
    length: Number(length),
    bytes: Buffer.alloc(0),
  };
  sessions.set(id, session);
  for (const oldest of sessions.keys()) if (sessions.size > MOST_SESSIONS) sessions.delete(oldest);
  // The provider's upload ids contain a query; callers send it back with or without URL encoding.
  return `${id}?sig=${randomBytes(12).toString('base64url')}`;
}

function findSession(
  access: GraphAccess,
  sessions: Map<string, UploadSession>,
  request: Request<{ upload: string }>,
): UploadSession {
  const id = request.params.upload.split('?')[0] ?? '';
  const session = sessions.get(id);
  const accounts: StoredAccount[] = access.accounts(request);
  if (session && accounts.some(({ appId }) => appId === session.appId)) return session;
  throw unknownObject(id);
}

/** Adds the bytes of one request; answers the handle once the file is complete. */
function append(session: UploadSession, request: Request, files: FileStore): string {
  const offset = Number(request.get('file_offset'));
  if (!request.get('file_offset') || offset !== session.bytes.length) {
    throw new GraphError(100, `The header file_offset must be ${session.bytes.length}.`);
  }
  const bytes = Buffer.concat([session.bytes, bodyOf(request)]);
  if (bytes.length > session.length)
    throw new GraphError(100, 'There are more bytes than file_length announced.');
  session.bytes = bytes;
  if (bytes.length < session.length) {
    throw new GraphError(100, `The upload has ${bytes.length} of ${session.length} bytes; send the rest.`);
  }
  const handle = `4:${Buffer.from(session.type).toString('base64')}:ARZ${randomBytes(24).toString('base64url')}`;
  files.put(handle, { type: session.type, name: session.name, bytes });
  return handle;
}

async function readMedia(request: Request): Promise<StoredFile> {
  const form = await parseForm(request);
  if (form.get('messaging_product') !== 'whatsapp') {
    throw new GraphError(100, '(#100) The parameter messaging_product is required.');
  }
  const file = form.get('file');
  if (!(file instanceof Blob)) throw new GraphError(100, 'The parameter file is required.');
  const type = String(form.get('type') ?? file.type);
  if (!MEDIA_TYPES.test(type))
    throw new GraphError(100, `Param file must not be of type ${type.slice(0, 100)}.`);
  return { type, name: file.name, bytes: Buffer.from(await file.arrayBuffer()) };
}

/** Uses Node's own multipart parser, by way of `Response.formData()`. */
async function parseForm(request: Request): Promise<FormData> {
  const headers = { 'content-type': request.get('content-type') ?? '' };
  try {
    return await new globalThis.Response(new Uint8Array(bodyOf(request)), { headers }).formData();
  } catch {
    throw new GraphError(100, 'The request body must be multipart/form-data.');
  }
}

function bodyOf(request: Request): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

import { IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiErrorFilter } from './api-error.filter.js';
import { bareResponse } from './bare-response.js';
import { type BodyTime, limitBodyTime } from './body-time.js';
import { ApiError } from '../common/errors.js';
import { secureData } from './security-headers.js';

/** With the bytes that Node's parser failed at (https://nodejs.org/docs/latest-v20.x/api/http.html#event-clienterror). */
interface UnreadableError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
}

const HEAD = Buffer.from('HEAD ');

interface GateOptions {
  /** What every answer begins with. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  filter: ApiErrorFilter;
  bodyTime: BodyTime;
}

/**
 * Stands before those who answer a server's requests, as the last to be put there. Node answers some requests by
 * itself, with a status and nothing else: without a Host, with an Expect that it does not know, by CONNECT, in what is
 * not HTTP. Here these get the documented envelope as well.
 */
export function guardRequests(server: Server, options: GateOptions): void {
  const gate = new Gate(options);
  const [serve] = server.listeners('request') as [RequestListener];
  // Both are properties that Node reads and its types do not know. Half a connection is enough for an answer.
  Object.assign(server, { requireHostHeader: false, httpAllowHalfOpen: true });
  server
    .off('request', serve)
    .on('request', (request, response) => {
      if (gate.admits(request, response)) serve(request, response);
    })
    .on('checkContinue', (request, response) => {
      continueOnceRead(request, response);
      if (gate.admits(request, response)) serve(request, response);
    })
    .on('checkExpectation', (request, response) => {
      if (gate.admits(request, response)) gate.refuse(unknownExpectation(), request, response);
    })
    .on('connect', (request, socket) => gate.refuseConnect(request, socket as Socket))
    .on('clientError', (error, socket) => gate.refuseUnreadable(error, socket as Socket));
}

class Gate {
  /** By connection: the newest request on it, until it is complete and answered. Answers leave in their order. */
  private readonly newest = new WeakMap<Socket, ServerResponse>();
  /** Connections that end, and why: what still comes on them is refused for the same reason. */
  private readonly closing = new WeakMap<Socket, ApiError>();

  constructor(private readonly options: GateOptions) {}

  /** Whether the request may go on to those who answer it; if not, it has its answer. */
  admits(request: IncomingMessage, response: ServerResponse): boolean {
    this.remember(request.socket, response);
    request.url = originForm(request.url ?? '/');
    limitBodyTime(request, this.options.bodyTime, () => this.breakOff(bodyTooSlow(), request, response));
    const fault = this.closing.get(request.socket) ?? hostFault(request) ?? codingFault(request);
    if (fault) this.refuse(fault, request, response);
    return !fault;
  }

  private remember(socket: Socket, response: ServerResponse): void {
    this.newest.set(socket, response);
    response.once('close', () => {
      if (response.req.complete && this.newest.get(socket) === response) this.newest.delete(socket);
    });
  }

  /** Answers with the fault, and ends the connection. */
  refuse(fault: ApiError, request: IncomingMessage, response: ServerResponse): void {
    const { begin, filter } = this.options;
    begin(request, response);
    secureData(response);
    response.setHeader('Connection', 'close');
    filter.answer(fault, request, response);
  }

  refuseConnect(request: IncomingMessage, socket: Socket): void {
    socket.on('error', () => socket.destroy()); // Node has left the connection to us
    const fault = connectFault();
    this.answerLast(fault, socket, () => this.refuse(fault, request, bareResponse(socket, request)));
  }

  /** @param error of Node's parser, of its clock, or of the connection itself, which is of no use any more then */
  refuseUnreadable(error: UnreadableError, socket: Socket): void {
    if (this.closing.has(socket)) return; // the rest of what could not be read
    const fault = unreadableFault(error);
    const isSilent = socket.bytesRead === 0; // opened in advance and not used: nobody waits for an answer
    if (!fault || isSilent || !socket.writable) return void socket.destroy();
    const response = this.newest.get(socket);
    if (response && !response.req.complete) return this.breakOff(fault, response.req, response);
    const request = new IncomingMessage(socket);
    if (asksForHeaders(error)) request.method = 'HEAD';
    this.answerLast(fault, socket, () => this.refuse(fault, request, bareResponse(socket, request)));
  }

  /** Answers a request that never becomes complete, and ends its connection. Whoever still reads the body gets the fault. */
  private breakOff(fault: ApiError, request: IncomingMessage, response: ServerResponse): void {
    this.closing.set(request.socket, fault);
    // Node does not: of a request that has been answered, its connection knows no more.
    response.once('close', () => request.destroy(fault));
    if (response.headersSent) request.socket.destroySoon();
    else this.refuse(fault, request, response);
  }

  /** Answers when all requests before have been answered, unless that ends the connection. */
  private answerLast(fault: ApiError, socket: Socket, answer: () => void): void {
    if (this.closing.has(socket)) return;
    this.closing.set(socket, fault);
    const last = this.newest.get(socket);
    const answerNow = () => {
      if (socket.writable && (!last || last.req.complete)) answer();
    };
    // It may have been answered before the rest of its body came, which is why it is still known.
    if (last && !last.closed) last.once('close', answerNow);
    else answerNow();
  }
}

/** Whether what could not be read is a HEAD, whose answer has no body. Its start is known where it came in one packet. */
function asksForHeaders({ rawPacket }: UnreadableError): boolean {
  return rawPacket?.subarray(0, HEAD.length).equals(HEAD) ?? false;
}

/** Asks for the body only when somebody wants it: what is refused by its key or its size is refused without. */
function continueOnceRead(request: IncomingMessage, response: ServerResponse): void {
  request.once('resume', () => {
    if (!response.headersSent) response.writeContinue();
  });
}

/** The path of a target that names the server as well, as for a proxy. */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
}

/** HTTP/1.1 wants the host to be named; and twice is ambiguous: Node takes the first, a proxy perhaps the last. */
function hostFault({ headers, rawHeaders, httpVersion }: IncomingMessage): ApiError | null {
  let hosts = 0;
  if (headers.host !== undefined)
    for (let i = 0; i < rawHeaders.length; i += 2)
      if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts += 1;
  if (hosts === 1 || (hosts === 0 && httpVersion !== '1.1')) return null;
  return new ApiError('VALIDATION_FAILED', 'Send the header Host once.', [{ field: 'Host' }]);
}

/** Node reads "gzip, chunked" as well, and leaves the body packed. */
function codingFault({ headers }: IncomingMessage): ApiError | null {
  const coding = headers['transfer-encoding'];
  if (coding === undefined || coding.toLowerCase() === 'chunked') return null;
  const detail = { field: 'Transfer-Encoding', expected: 'chunked' };
  return new ApiError('VALIDATION_FAILED', 'The only possible Transfer-Encoding is chunked.', [detail]);
}

const unknownExpectation = () =>
  new ApiError('UNKNOWN_EXPECT', 'The service knows no other "Expect" than "100-continue".');

const connectFault = () => new ApiError('METHOD_NOT_ALLOWED', 'CONNECT is not possible: this is no proxy.');

const bodyTooSlow = () =>
  new ApiError('REQUEST_TIMEOUT', 'The body has not come in time. Send it without a pause.');

/** What the caller is told of what Node could not read; null when it is the connection that failed. */
function unreadableFault({ code = '' }: UnreadableError): ApiError | null {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('REQUEST_TIMEOUT', 'The headers have not come in time.');
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('HEADERS_TOO_LARGE', 'The headers, with path and query, are larger than 16 KiB.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError(
        'PAYLOAD_TOO_LARGE',
        'The extensions of a chunk are larger than the service takes.',
      );
    case 'HPE_INVALID_EOF_STATE':
      return new ApiError('VALIDATION_FAILED', 'The request was cut off.');
    default:
      return code.startsWith('HPE_')
        ? new ApiError('VALIDATION_FAILED', 'The request is not HTTP that can be read.')
        : null;
  }
}

/**
 * Takes the events of a tenant, and prints each once. It registers itself as a webhook endpoint at its first start. What
 * came while it was away is pulled from where it had ended; after that, the service posts what is new.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const {
  SERVICE_URL = 'http://127.0.0.1:3000',
  API_KEY = '',
  PORT = '4000',
  /** Where the service reaches this program: in production an https URL with a public address. */
  ENDPOINT_URL = `http://127.0.0.1:${PORT}/events`,
  STATE_FILE = 'state.json',
} = process.env;

interface Event {
  id: string;
  type: string;
  cursor: string;
  data: Record<string, unknown>;
}

/** What the service answers. */
interface Answer<Data> {
  data: Data;
  next_cursor?: string;
  error?: { message: string };
}

/** What the service tells once, when the endpoint is made. */
interface Endpoint {
  webhook_endpoint_id: string;
  secret: string;
}

interface State {
  endpoint: Endpoint;
  /** Of the last event that was handled; null before the first. */
  cursor: string | null;
  /** The ids of the last events: one may come more than once. */
  handled: string[];
}

/** Ids to remember: many more than can be on their way twice. */
const REMEMBERED = 10_000;

let state: State = existsSync(STATE_FILE)
  ? (JSON.parse(readFileSync(STATE_FILE, 'utf8')) as State)
  : { endpoint: await register(), cursor: null, handled: [] };
const handled = new Set(state.handled);
save();

/** Your own work. It is done before the event counts as handled: after a crash in between, it is done again. */
function handle({ type, data }: Event): void {
  const { message_log_id: id = '', client_reference: reference } = data;
  console.log([type, id, reference].filter((part) => part !== undefined && part !== null).join(' '));
}

function handleNew(events: Event[]): void {
  for (const event of events) {
    if (handled.has(event.id)) continue;
    handle(event);
    handled.add(event.id);
    state.cursor = event.cursor;
  }
  save();
}

function save(): void {
  state = { ...state, handled: [...handled].slice(-REMEMBERED) };
  // Written beside, then renamed: a crash leaves the former one.
  writeFileSync(`${STATE_FILE}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${STATE_FILE}.new`, STATE_FILE);
}

async function call<Data>(method: string, path: string, body?: object): Promise<Answer<Data>> {
  const response = await fetch(`${SERVICE_URL}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${API_KEY}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer<Data>;
  if (!response.ok) throw new Error(`${method} ${path}: ${answer.error?.message}`);
  return answer;
}

async function register(): Promise<Endpoint> {
  const settings = { url: ENDPOINT_URL, description: 'Example' };
  return (await call<Endpoint>('POST', '/webhook-endpoints', settings)).data;
}

/** The service has perhaps found nobody here, and waits some time until its next try. */
async function sayThatItIsBack(): Promise<void> {
  await call('PATCH', `/webhook-endpoints/${state.endpoint.webhook_endpoint_id}`, { enabled: true });
}

/** Pulls what came since the last event that was handled. */
async function catchUp(): Promise<void> {
  for (let after = state.cursor; after !== null;) {
    const path = `/events?limit=1000&after=${after}`;
    const { data, next_cursor = null } = await call<Event[]>('GET', path);
    handleNew(data);
    after = data.length > 0 ? next_cursor : null;
  }
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  try {
    new Webhook(state.endpoint.secret).verify(body, request.headers as Record<string, string>);
  } catch {
    response.writeHead(401).end('The signature is wrong.');
    return;
  }
  handleNew((JSON.parse(body) as { events: Event[] }).events);
  response.writeHead(204).end();
}

await catchUp();
createServer((request, response) => {
  // Without an answer of success, the service posts the events again.
  receive(request, response).catch((error: Error) => {
    console.error(error.message);
    response.writeHead(500).end();
  });
}).listen(Number(PORT), '127.0.0.1');
await sayThatItIsBack();
console.log(`Waiting for events at ${ENDPOINT_URL}`);

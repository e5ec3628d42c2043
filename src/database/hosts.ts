import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { within } from '../common/within.js';
import { urlsOfHosts } from '../config/database-url.js';

/** Milliseconds that one look at the hosts lasts at most. */
const LOOK = 1_000;

/** Milliseconds for a host to say what it is. It may be slow and take several looks, without being asked anew in each. */
const ASK_FOR = 5_000;

/** Milliseconds that the others get once one has said that it takes writes: one may have taken over from it. */
const OTHERS_GET = 250;

/** Where the server is that takes writes. */
export interface Host {
  host: string;
  port: number;
}

/** What a host said when it was asked. */
interface Answer extends Host {
  /** Counts how often a standby has taken over; null when the host takes no writes now. */
  timeline: number | null;
  /** Why it takes none. */
  reason: string;
}

/** A connection of this process to one of the hosts. */
interface Connected extends Host {
  destroy(error: Error): void;
}

/** None of the hosts takes writes now. */
export class NoPrimaryError extends Error {
  /** The SQLSTATE of a server that cannot be connected to now. */
  readonly code = '57P03';

  constructor(answers: Answer[]) {
    const each = answers.map(({ host, port, reason }) => `${host}:${port} (${reason})`);
    super(`No server of the database takes writes: ${each.join(', ')}`);
  }
}

/** The connection led to a server that was the primary until another took over. */
export class MovedError extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('Another server of the database has taken over');
  }
}

/**
 * The hosts of a URL, of which one takes writes. All connections of the process share what it knows of them: the first
 * that fails makes the next one ask all hosts again.
 */
export class Hosts {
  private static readonly known = new Map<string, Hosts>();

  private readonly connected = new Set<Connected>();
  private primary: Host | undefined;
  private search: Promise<Host> | undefined;
  /** What hosts have been asked and have not answered yet, by their URLs. */
  private readonly asked = new Map<string, Promise<Answer>>();
  private isInDoubt = true;
  /** The latest timeline that was seen. A primary of an earlier one has been replaced and does not know it yet. */
  private newest = 0;

  private constructor(private readonly urls: string[]) {}

  /** @returns undefined for a URL with one host, which need not be looked for */
  static of(url: string): Hosts | undefined {
    const urls = urlsOfHosts(url) ?? [];
    if (urls.length < 2) return undefined;
    const hosts = this.known.get(url) ?? new Hosts(urls);
    this.known.set(url, hosts);
    return hosts;
  }

  /**
   * The host that takes writes, as it is known, or as all hosts say when they are asked.
   * @throws NoPrimaryError when none does
   */
  async find(): Promise<Host> {
    if (this.primary && !this.isInDoubt) return this.primary;
    this.search ??= this.ask().finally(() => (this.search = undefined));
    return this.search;
  }

  /** To be called when a connection fails, is lost, or takes no writes. */
  doubt(): void {
    this.isInDoubt = true;
  }

  /** Takes note of a connection; it is destroyed when another host takes over. @returns what forgets it */
  join(client: Connected): () => void {
    this.connected.add(client);
    return () => this.connected.delete(client);
  }

  private async ask(): Promise<Host> {
    this.isInDoubt = false; // from here on, a connection that fails makes it ask once more
    const answers = await firstOf(this.urls.map((url) => this.look(url)));
    const writable = answers.filter(({ timeline }) => timeline !== null && timeline >= this.newest);
    const newest = Math.max(...writable.map(({ timeline }) => timeline ?? 0));
    const primaries = writable.filter(({ timeline }) => timeline === newest);
    const primary = primaries.find((each) => this.isPrimary(each)) ?? primaries[0];
    if (!primary) {
      this.isInDoubt = true;
      throw new NoPrimaryError(answers.map((answer) => this.judged(answer)));
    }
    this.newest = newest;
    this.primary = { host: primary.host, port: primary.port };
    for (const client of this.connected) if (!this.isPrimary(client)) client.destroy(new MovedError());
    return this.primary;
  }

  /** What the host says, or that it has not answered until now. */
  private look(url: string): Promise<Answer> {
    const asked = this.asked.get(url) ?? askOne(url).finally(() => this.asked.delete(url));
    this.asked.set(url, asked);
    const silent = { ...placeOf(url), timeline: null, reason: 'no answer' };
    return within(LOOK, asked, silence).catch(() => silent);
  }

  /** With the reason why one that takes writes is none: it was replaced, or all of the database was. */
  private judged(answer: Answer): Answer {
    if (answer.timeline === null) return answer;
    return { ...answer, reason: `on timeline ${answer.timeline}, after ${this.newest} was seen` };
  }

  private isPrimary({ host, port }: Host): boolean {
    return this.primary?.host === host && this.primary.port === port;
  }
}

/** All answers in the order of the hosts; when one takes writes, only those that are not late. */
async function firstOf(asked: Promise<Answer>[]): Promise<Answer[]> {
  const answers: (Answer | undefined)[] = asked.map(() => undefined);
  const all = Promise.all(asked.map(async (each, index) => (answers[index] = await each)));
  const isWritable = async (each: Promise<Answer>) => ((await each).timeline === null ? all : undefined);
  await Promise.race([all, ...asked.map(isWritable)]);
  await Promise.race([all, delay(OTHERS_GET)]);
  return answers.filter((answer) => answer !== undefined);
}

const silence = () => Object.assign(new Error('It is silent'), { code: 'ETIMEDOUT' });

function placeOf(url: string): Host {
  const { hostname, port } = new URL(url);
  return { host: decodeURIComponent(hostname.replace(/^\[(.*)\]$/, '$1')), port: Number(port || 5432) };
}

/** Never rejects. */
async function askOne(url: string): Promise<Answer> {
  const place = placeOf(url);
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ASK_FOR,
    application_name: 'template-messaging-service search',
  });
  client.on('error', () => undefined); // what is asked fails with it
  try {
    return { ...place, ...(await within(ASK_FOR, whatIs(client), silence)) };
  } catch (error) {
    return { ...place, timeline: null, reason: (error as { code?: string }).code ?? 'no answer' };
  } finally {
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}

async function whatIs(client: pg.Client): Promise<Pick<Answer, 'timeline' | 'reason'>> {
  await client.connect();
  const { rows } = await client.query("SELECT current_setting('transaction_read_only') AS is_read_only");
  if (rows[0].is_read_only === 'on') return { timeline: null, reason: 'read-only' };
  // A file of the log is named after its timeline first. Not every managed PostgreSQL tells.
  const named = await client
    .query('SELECT pg_walfile_name(pg_current_wal_lsn()) AS name')
    .catch(() => ({ rows: [{ name: '00000000' }] }));
  return { timeline: Number.parseInt(String(named.rows[0].name).slice(0, 8), 16), reason: '' };
}

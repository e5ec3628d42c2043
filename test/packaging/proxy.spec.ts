import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, fetch } from 'undici';
import { findProgram, installPackages } from '../../src/embedded/debian-packages.js';
import { eventually } from '../support/eventually.js';
import { freePorts } from '../support/free-ports.js';

/** One that answers as an API process does, as far as a proxy sees it. */
class Upstream {
  isReady = true;
  answered = 0;
  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      if (request.url === '/health/ready') return void response.writeHead(this.isReady ? 200 : 503).end();
      this.answered += 1;
      response.end(`${request.headers['x-forwarded-proto']} ${request.headers['x-forwarded-for']}`);
    });
  }

  static async start(): Promise<Upstream> {
    const upstream = new Upstream(createServer().listen(0, '127.0.0.1'));
    await once(upstream.server, 'listening');
    return upstream;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await once(this.server.close(), 'close');
  }
}

describe('Caddy with deploy/Caddyfile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tms-caddy-'));
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  let upstreams: [Upstream, Upstream];
  let caddy: ChildProcess;
  let url: string;

  const get = async () => {
    const response = await fetch(`${url}/api/v1/messages`, { dispatcher });
    return { status: response.status, text: await response.text() };
  };

  beforeAll(async () => {
    const find = () => findProgram('caddy');
    const program = (await find()) ?? (await installPackages(['caddy'], find, join(folder, 'apt.log')));
    if (!program) throw new Error('Caddy is not here, and could not be installed');
    upstreams = [await Upstream.start(), await Upstream.start()];
    const [port] = await freePorts(1);
    url = `https://localhost:${port}`;
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      UPSTREAMS: upstreams.map(({ address }) => address).join(' '),
    };
    const adapted = execFileSync(program, ['adapt', '--config', 'deploy/Caddyfile'], {
      env,
      encoding: 'utf8',
    });
    // As it is, but on a free port, and without the other ports that it takes for itself.
    const config = JSON.parse(adapted) as { apps: { http: { servers: Record<'srv0', object> } } };
    Object.assign(config, { admin: { disabled: true } });
    Object.assign(config.apps.http.servers.srv0, {
      listen: [`127.0.0.1:${port}`],
      automatic_https: { disable_redirects: true },
    });
    Object.assign(config.apps, { pki: { certificate_authorities: { local: { install_trust: false } } } });
    const file = join(folder, 'caddy.json');
    writeFileSync(file, JSON.stringify(config));
    caddy = spawn(program, ['run', '--config', file], { env, stdio: 'ignore' });
    await eventually(async () => {
      const { status } = await get();
      if (status !== 200) throw new Error(`It answers ${status}`);
    });
  });
  afterAll(async () => {
    if (caddy) {
      const ended = once(caddy, 'exit');
      caddy.kill('SIGTERM');
      await ended;
    }
    await dispatcher.close();
    for (const upstream of upstreams) await upstream.stop().catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  });

  it('ends TLS, and names caller and protocol to both processes in turn', async () => {
    const [one, other] = upstreams.map(({ answered }) => answered) as [number, number];
    for (let i = 0; i < 4; i += 1) expect(await get()).toEqual({ status: 200, text: 'https 127.0.0.1' });
    expect(upstreams.map(({ answered }) => answered)).toEqual([one + 2, other + 2]);
  });

  it('turns away from a process that is not ready any more', async () => {
    const [stopping, other] = upstreams;
    stopping.isReady = false;
    await eventually(async () => {
      const before = other.answered;
      await get();
      await get();
      expect(other.answered).toBe(before + 2);
    });
    stopping.isReady = true;
    await eventually(async () => {
      const before = stopping.answered;
      await get();
      await get();
      expect(stopping.answered).toBe(before + 1);
    });
  });

  it('fails no request when a process is gone', async () => {
    await upstreams[0].stop();
    for (let i = 0; i < 6; i += 1) expect((await get()).status).toBe(200);
  });
});

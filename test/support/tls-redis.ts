import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { generate } from 'selfsigned';
import { keptPort } from '../../src/embedded/ports.js';
import { redisBinary } from '../../src/embedded/redis-binary.js';
import { type Supervised, supervise } from '../../src/embedded/supervised.js';
import { eventually } from './eventually.js';

/** A Redis that speaks TLS only, with a password, and with a certificate that no authority of the system has signed. */
export class TlsRedis {
  private constructor(
    private readonly server: Supervised,
    private readonly folder: string,
    /** rediss:// */
    readonly url: string,
  ) {}

  /** The self-signed certificate, for NODE_EXTRA_CA_CERTS. */
  get certificateFile(): string {
    return join(this.folder, 'certificate.pem');
  }

  static async start(): Promise<TlsRedis> {
    const folder = await mkdtemp(join(tmpdir(), 'tms-spec-'));
    const { cert, lines } = await writeCertificate(folder);
    const port = await keptPort(folder, 'redis', () => undefined);
    const configFile = join(folder, 'redis.conf');
    const url = `rediss://:a-secret@127.0.0.1:${port}/3`;
    lines.push('bind 127.0.0.1', 'port 0', `tls-port ${port}`, 'requirepass a-secret', 'save ""');
    await writeFile(configFile, lines.join('\n'));
    const binary = await redisBinary(folder, () => undefined);
    const logFile = join(folder, 'redis.log');
    const server = supervise([binary, configFile], { stopSignal: 'TERM', logFile });
    const redis = new TlsRedis(server, folder, url);
    await redis.untilReady(cert);
    return redis;
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async untilReady(ca: string): Promise<void> {
    const client = new Redis(this.url, { tls: { ca } });
    client.on('error', () => undefined); // connections fail until it listens
    await eventually(() => client.ping());
    client.disconnect();
  }
}

/**
 * Writes `certificate.pem` and its key into the folder.
 * @returns the certificate, and the lines of a Redis' configuration that use it
 */
export async function writeCertificate(folder: string): Promise<{ cert: string; lines: string[] }> {
  const { private: key, cert } = await certificate();
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  await writeFile(keyFile, key, { mode: 0o600 });
  await writeFile(certFile, cert);
  const lines = [`tls-cert-file ${certFile}`, `tls-key-file ${keyFile}`, `tls-ca-cert-file ${certFile}`];
  return { cert, lines: [...lines, 'tls-auth-clients no'] };
}

/** A certificate of an authority and of 127.0.0.1 in one, made by each run, so that it never expires. */
function certificate() {
  return generate([{ name: 'commonName', value: 'Redis of a test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '../support/free-ports.js';
import { ServerProcess } from '../support/server-process.js';

/** A server behind HAProxy, and where HAProxy asks whether it is the primary; each as `host:port`. */
export interface Backend {
  name: string;
  postgres: string;
  rest: string;
}

/** Leads connections to the PostgreSQL whose Patroni says that it is the primary. */
export class HaProxy {
  private constructor(
    readonly process: ServerProcess,
    readonly port: number,
  ) {}

  static async start(program: string, folder: string, backends: Backend[]): Promise<HaProxy> {
    const [port = 0] = await freePorts(1);
    const file = join(folder, 'haproxy.cfg');
    await writeFile(file, configuration(port, backends));
    const command = [program, '-db', '-f', file];
    return new HaProxy(ServerProcess.start({ command, logFile: join(folder, 'haproxy.log') }), port);
  }
}

/**
 * on-marked-down: connections to a primary that is one no longer are cut, also when it is silent, so that nobody goes on
 * with it.
 */
const configuration = (port: number, backends: Backend[]) => `
global
  maxconn 2000

defaults
  mode tcp
  retries 2
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 1s

listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${backends.map(serverLine).join('\n')}
`;

function serverLine({ name, postgres, rest }: Backend): string {
  const [host, port] = rest.split(':');
  return `  server ${name} ${postgres} maxconn 500 check addr ${host} port ${port}`;
}

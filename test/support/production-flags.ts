import { readFileSync } from 'node:fs';

const PACKAGE = new URL('../../package.json', import.meta.url);

/** The flags with which `npm run start:prod` runs Node, for test processes that should run as in production. */
export const PRODUCTION_FLAGS: string[] = flagsOf(
  (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { scripts: Record<string, string> }).scripts['start:prod'],
);

function flagsOf(script = ''): string[] {
  return script.split(' ').filter((word) => word.startsWith('--'));
}

import { readFileSync } from 'node:fs';

const PACKAGE = new URL('../../package.json', import.meta.url);

/** What `npm run start:prod` gives to Node: processes that stand for production run with the same. */
export const PRODUCTION_FLAGS: string[] = flagsOf(
  (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { scripts: Record<string, string> }).scripts['start:prod'],
);

function flagsOf(script = ''): string[] {
  return script.split(' ').filter((word) => word.startsWith('--'));
}

/**
 * The browser of the tests: the machine's Chromium, or the one that comes in an npm package, with the libraries it
 * needs. In a process of its own (`node test/support/browser-binary.mjs` prints where it is, as JSON), since that
 * package changes the environment it is imported into.
 */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const found = fromPath() ?? (await fromPackage());
process.stdout.write(JSON.stringify(found));

function fromPath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const path = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
  return path && { path, env: {} };
}

/** Unpacked once, into node_modules. */
async function fromPackage() {
  const folder = fileURLToPath(new URL('../../node_modules/.cache/tms-chromium', import.meta.url));
  mkdirSync(folder, { recursive: true });
  // Where the package unpacks to, and what makes it unpack the libraries too.
  Object.assign(process.env, { TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' });
  const { default: chromium } = await import('@sparticuz/chromium');
  const path = await chromium.executablePath();
  const { LD_LIBRARY_PATH, FONTCONFIG_PATH } = process.env;
  return { path, env: { LD_LIBRARY_PATH, FONTCONFIG_PATH } };
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Lets Node run the TypeScript sources as they are, in Jest and in the processes that tests start:
 * `node --import ./test/support/typescript.mjs file.ts`.
 */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import compile from './compile.cjs';

if (isMainThread) register(import.meta.url);

/** Endings to try for an import of `./x.js`, or of `./x` in the dashboard's page, as the compilers do. */
const SOURCES = ['.ts', '/index.ts'];

export async function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return next(new URL('jest-globals.mjs', import.meta.url).href, context);
  if (specifier.startsWith('.') && !context.parentURL?.includes('/node_modules/'))
    for (const ending of SOURCES)
      try {
        return await next(specifier.replace(/(\.js)?$/, ending), context);
      } catch (error) {
        if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
      }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = compile(filename, await readFile(filename, 'utf8'));
  return { format: 'module', source: code, shortCircuit: true };
}

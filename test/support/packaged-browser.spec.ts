import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { TestBrowser } from './browser.js';
import { eventually } from './eventually.js';

const SCRIPT = fileURLToPath(new URL('packaged-browser.mjs', import.meta.url));

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'tms-spec-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Unpacks the browser of the package if necessary. @returns how to start it */
const unpacked = async () => (await promisify(execFile)(process.execPath, [SCRIPT, folder])).stdout;

/** The fonts in which the page shows its paragraph. */
async function fontsOf(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('DOM.enable');
  await devtools.send('CSS.enable');
  const { root } = await devtools.send('DOM.getDocument');
  const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'p' });
  const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
  return fonts.map(({ familyName }) => familyName);
}

describe('the browser from the package', () => {
  it('is unpacked completely by two runs at once, after a run that was killed', async () => {
    const killed = spawn(process.execPath, [SCRIPT, folder]);
    await eventually(async () => {
      const [begun = 'nothing yet'] = await readdir(folder);
      expect(await readdir(join(folder, begun))).toContain('chromium');
    });
    killed.kill('SIGKILL');
    await once(killed, 'exit');

    const [one, other] = await Promise.all([unpacked(), unpacked()]);
    expect(one).toBe(other);
    const [version, ...leftovers] = await readdir(folder);
    expect(one).toContain(`${join(folder, version ?? '')}/chromium`);
    expect(leftovers).toEqual([]);
    await (await TestBrowser.start(one)).stop();
  }, 90_000);

  it('draws text, whatever fonts the machine has', async () => {
    const browser = await TestBrowser.start(await unpacked());
    try {
      const page = await browser.open();
      await page.setContent('<p style="font-family: Open Sans">Hello</p>');
      expect(await fontsOf(page)).toEqual(['Open Sans']);
      await page.setContent('<p>مرحبا 🚚</p>');
      expect(await page.locator('p').screenshot()).toBeInstanceOf(Buffer);
    } finally {
      await browser.stop();
    }
  });
});

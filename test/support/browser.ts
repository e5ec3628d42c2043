import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { DEMO } from '../../src/embedded/demo.js';
import { eventually } from './eventually.js';
import { SECRETS, type TestService } from './service.js';

/** The folder of the pictures, which git ignores; CI leaves them there too. */
const SCREENSHOTS = fileURLToPath(new URL('../.screenshots', import.meta.url));

/** Flags without which Chromium calls hosts on the internet. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Milliseconds in which the page has to show what a test waits for; the machine may be busy. */
const PATIENCE = 60_000;

/** A real Chromium for the tests of one file. */
export class TestBrowser {
  private constructor(private readonly browser: Browser) {}

  /** @param found a browser in place of that of the run */
  static async start(found = process.env['TEST_BROWSER'] ?? '{}'): Promise<TestBrowser> {
    const { path, env } = JSON.parse(found);
    const args = ['--no-sandbox', '--disable-gpu', ...QUIET];
    return new TestBrowser(
      await chromium.launch({ executablePath: path, args, env: { ...process.env, ...env } }),
    );
  }

  /** Opens a page as a new visitor. Tests look for faults of its scripts by {@link faultsOf}. */
  async open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce', // so that tests do not wait for fades
      ...options,
    });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    pageFaults.set(page, faults);
    return page;
  }

  /**
   * Opens a page as a signed-in user, by default the demo's.
   * @param options `prepare` runs before the page goes to its path, such as to let the test control its clock
   */
  async openDashboard(
    service: TestService,
    {
      path = '/',
      email = DEMO.email as string,
      password = SECRETS.demoPassword,
      prepare = async (_page: Page): Promise<void> => undefined,
      ...options
    }: {
      path?: string;
      email?: string;
      password?: string;
      prepare?: (page: Page) => Promise<void>;
    } & BrowserContextOptions = {},
  ): Promise<Page> {
    const page = await this.open({ baseURL: service.url, ...options });
    await signInCookie(page.context(), service.url, email, password);
    await prepare(page);
    await page.goto(`/dashboard${path}`);
    return page;
  }

  /** Closes all pages, as an open page goes on with requests and drawing. */
  async closePages(): Promise<void> {
    await Promise.all(this.browser.contexts().map((context) => context.close()));
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }
}

/** The number of transitions under way, without endless animations such as a loader. */
const FADING = `document.getAnimations().filter((animation) =>
  animation.playState === 'running' && animation.effect.getComputedTiming().iterations !== Infinity).length`;

const pageFaults = new WeakMap<Page, string[]>();

/** Errors that scripts of the page have thrown and not caught. */
export function faultsOf(page: Page): string[] {
  return pageFaults.get(page) ?? [];
}

/** Keeps a picture of the page for people to look at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), animations: 'disabled' });
}

/** Faults of the page that axe calls serious or worse, one line for each place. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const faults = await stillFaults(page);
  // A fade may have begun during the check. A real fault is found the second time too.
  return faults.length > 0 ? stillFaults(page) : faults;
}

/** The faults when nothing fades in or out, as fading text has too little contrast for a moment. */
async function stillFaults(page: Page): Promise<string[]> {
  await eventually(async () => expect(await page.evaluate(FADING)).toBe(0));
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    return (await run()).violations;
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
}

/** Signs in by a request, as the form has tests of its own. */
async function signInCookie(
  context: BrowserContext,
  url: string,
  email: string,
  password: string,
): Promise<void> {
  const answer = await context.request.post(`${url}/dashboard/api/session`, { data: { email, password } });
  if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}: ${await answer.text()}`);
}

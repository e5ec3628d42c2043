import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type PagePath, pagePaths } from '../../dashboard/src/page-paths.js';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { faultsOf, screenshot } from '../support/browser.js';
import { useDashboardPage } from '../support/dashboard-page.js';
import { eventually } from '../support/eventually.js';
import { type PageVisit, pageVisits, type Typing } from '../support/page-visits.js';

/** A second of the page's clock; OUTAGE is how many of them an outage lasts after the page has noticed it. */
const SECOND = 1_000;
const OUTAGE = 15;

/** Milliseconds of real time in which a page has to do what takes it some seconds of its own clock. */
const PATIENCE = 60_000;

const dashboard = useDashboardPage();
let visits: Record<PagePath, PageVisit[]>;
let line: BreakableProxy;

/** A way in which a connection fails. */
interface Way {
  name: string;
  drop(): Promise<void>;
  mend(): Promise<void>;
}

const ways: Way[] = [
  { name: 'cut', drop: () => line.break(), mend: () => line.mend() },
  { name: 'silent', drop: async () => line.silence('all'), mend: async () => line.speak() },
];

beforeAll(async () => {
  line = await BreakableProxy.before(dashboard.service().url);
  visits = await pageVisits(dashboard.service());
}, 60_000);
afterEach(async () => {
  await line.break();
  await line.mend();
});
afterAll(() => line.break());

const firstVisit = (path: PagePath) => visits[path][0] as PageVisit;

/** Opens a page through the proxy. The page's clock runs by itself, and can be moved forward. */
const open = (path: string, watch = (_page: Page): void => undefined): Promise<Page> =>
  dashboard.open({
    path,
    baseURL: new URL(line.url).origin,
    async prepare(page) {
      await page.clock.install();
      watch(page);
    },
  });

/**
 * Moves the page's clock forward until the assertion holds: faster than real time, but slowly enough for the service,
 * whose time is real, to answer.
 */
const inTime = (page: Page, assertion: () => Promise<void>) =>
  eventually(
    async () => {
      await page.clock.runFor(SECOND / 2);
      await assertion();
    },
    { patience: PATIENCE, interval: 50 },
  );

const banner = (page: Page) => page.getByText('Cannot reach the server');

async function fill(page: Page, types: Typing | null, part = (text: string) => text): Promise<void> {
  if (types) await page.getByLabel(types.field).first().fill(part(types.text));
}

const expectNoFault = async (page: Page) => {
  expect(await page.getByText('This page has a fault').count()).toBe(0);
  expect(faultsOf(page)).toEqual([]);
};

async function expectToKeep(
  page: Page,
  shows: PageVisit['shows'] | null,
  types: Typing | null,
): Promise<void> {
  const isShown = shows === null || (await page.getByText(shows).first().isVisible());
  const typed = types && (await page.getByLabel(types.field).first().inputValue());
  expect({ isShown, typed }).toEqual({ isShown: true, typed: types && types.text });
  await expectNoFault(page);
}

async function expectToSayItIsLost(page: Page): Promise<void> {
  await inTime(page, async () => expect(await banner(page).isVisible()).toBe(true));
  for (let second = 0; second < OUTAGE; second += 1) await page.clock.runFor(SECOND);
  expect(await banner(page).isVisible()).toBe(true);
  expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
}

const expectToBeBack = (page: Page) => inTime(page, async () => expect(await banner(page).count()).toBe(0));

/** Notes which calls of the page are answered, except for the one that asks whether the service is there. */
function noteAnswers(page: Page, answered: Set<string>): void {
  page.on('response', (response) => {
    const [, path] = /\/dashboard\/api\/(.*)/.exec(new URL(response.url()).pathname) ?? [];
    if (path && path !== 'session' && response.ok()) answered.add(path);
  });
}

describe('A page that is open when the connection is lost', () => {
  // Each page in one of the ways, as what notices a lost connection is the same code for all of them.
  it.each(pagePaths.map((path, index) => ({ path, way: ways[index % ways.length] as Way })))(
    'says so, keeps everything and goes on by itself: $path, $way.name',
    async ({ path, way }) => {
      const { path: address, shows, types } = firstVisit(path);
      const answered = new Set<string>();
      const page = await open(address, (opened) => noteAnswers(opened, answered));
      await page.getByText(shows).first().waitFor();
      const leastAnswers = Math.min(answered.size, 1);
      await fill(page, types, (text) => text.slice(0, -1));
      await way.drop();
      await fill(page, types);
      await expectToSayItIsLost(page);
      await expectToKeep(page, types?.isAsked ? null : shows, types);

      answered.clear();
      await way.mend();
      await expectToBeBack(page);
      await inTime(page, async () => expect(answered.size).toBeGreaterThanOrEqual(leastAnswers));
      await inTime(page, () => expectToKeep(page, shows, types));
      await screenshot(page, `line-back-${path.replaceAll(/\W+/g, '-')}`);
    },
    180_000,
  );
});

describe('A page that is opened while the server is out', () => {
  it.each(pagePaths)(
    'appears by itself when the server is back: %s',
    async (path) => {
      const { path: address, shows } = firstVisit(path);
      const page = await open('/nowhere');
      await page.getByText('There is nothing here').waitFor();
      await line.break();
      await goTo(page, address);
      await expectToSayItIsLost(page);
      await expectNoFault(page);
      await line.mend();
      await expectToBeBack(page);
      await inTime(page, () => expectToKeep(page, shows, null));
    },
    120_000,
  );
});

describe('A live list', () => {
  const live = (page: Page) => page.getByText('Live', { exact: true });

  it('says that it is live only while it is, and becomes live again by itself', async () => {
    const page = await open('/messages');
    await live(page).waitFor();
    await line.break();
    await expectToSayItIsLost(page);
    await page.getByText('Not live').waitFor();
    await dashboard.service().api.send('+12025550101');
    await line.mend();
    await inTime(page, async () => expect(await live(page).isVisible()).toBe(true));
    await inTime(page, () => expectToKeep(page, '+12025550101', null));
  }, 120_000);

  it('is followed over a new connection when nothing comes over the old one', async () => {
    const page = await open('/messages');
    await live(page).waitFor();
    line.silence('open');
    await dashboard.service().api.send('+12025550102');
    await inTime(page, () => expectToKeep(page, '+12025550102', null));
    await inTime(page, async () => expect(await live(page).isVisible()).toBe(true));
  }, 120_000);
});

describe('Code of a page that does not arrive', () => {
  const CODE = '**/assets/users-page-*.js';
  const isShown = (page: Page) => page.getByText('People who may sign in here').waitFor();

  it('over a dead connection is loaded over another one by itself', async () => {
    const page = await open('/nowhere');
    await page.getByText('There is nothing here').waitFor();
    line.silence('all');
    await goTo(page, '/settings/users');
    await expectToSayItIsLost(page);
    line.silence('open'); // open connections stay dead; new ones work
    await inTime(page, () => expectToKeep(page, 'People who may sign in here', null));
  }, 120_000);

  it('because its version was replaced makes the page reload by itself', async () => {
    const page = await dashboard.open({ path: '/nowhere' });
    const loads = countLoads(page);
    await page.route(CODE, (route) =>
      loads.count === 0 ? route.fulfill({ status: 404 }) : route.continue(),
    );
    await goTo(page, '/settings/users');
    await isShown(page);
    expect(loads.count).toBe(1);
    expect(faultsOf(page)).toEqual([]);
  });

  it('after the reload either is a fault of this page alone, without further reloads', async () => {
    const page = await dashboard.open({ path: '/nowhere' });
    const loads = countLoads(page);
    await page.route(CODE, (route) => route.fulfill({ status: 404 }));
    await goTo(page, '/settings/users');
    await page.getByText('This page has a fault').waitFor();
    expect(loads.count).toBe(1);
    await page.getByRole('link', { name: 'Rate card' }).click();
    await page.getByText('Argentina').waitFor();
    await page.unroute(CODE);
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await isShown(page);
    expect(loads.count).toBe(2);
  });
});

/** Counts, from now on, how often the page is loaded. */
function countLoads(page: Page): { count: number } {
  const loads = { count: 0 };
  page.on('load', () => (loads.count += 1));
  return loads;
}

/** Goes to another page as a link does, without a reload. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

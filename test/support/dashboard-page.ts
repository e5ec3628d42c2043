import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { MovableClock } from '../../src/common/clock.js';
import type { SandboxOptions } from '../../src/sandbox/sandbox-options.js';
import { TestBrowser } from './browser.js';
import type { TestService } from './service.js';
import { useTestService } from './test-service.js';

type PageOptions = Parameters<TestBrowser['openDashboard']>[1];

/** The dashboard in a real browser, with the service behind it. */
export interface DashboardPage {
  service: () => TestService;
  /** Opens a page as a signed-in user: see {@link TestBrowser.openDashboard}. */
  open(options?: PageOptions): Promise<Page>;
  /** Opens a page as a visitor who is not signed in: see {@link TestBrowser.open}. */
  openAsVisitor(options?: Parameters<TestBrowser['open']>[0]): Promise<Page>;
}

/**
 * A service and a browser for the tests of the file, stopped after them.
 * @param clock of the service, in place of one that tells nobody of its leaps
 */
export function useDashboardPage(sandboxOptions: SandboxOptions = {}, clock?: MovableClock): DashboardPage {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.start();
  });
  afterEach(() => browser.closePages());
  // Before the service stops, as open pages keep their connections to it.
  afterAll(() => browser.stop());
  const service = useTestService({}, sandboxOptions, clock);
  return {
    service,
    open: (options) => browser.openDashboard(service(), options),
    openAsVisitor: (options) => browser.open({ baseURL: service().url, ...options }),
  };
}

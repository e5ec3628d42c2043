import type fc from 'fast-check';
import type { Config } from '../../src/config/config.js';
import { apiProperty } from './api.js';
import { componentsProperty } from './components.js';
import { componentsHttpProperty } from './components-http.js';
import { dashboardProperty, furnish } from './dashboard.js';
import { harmProperty, pipelineProperty, splitProperty } from './raw-http.js';
import { webhooksProperty } from './webhooks.js';
import type { World } from './world.js';

/** One part of the service that random cases are tried on. */
export interface Target {
  /** Cases in `npm test`, and in one round of `npm run fuzz`. */
  few: number;
  many: number;
  /** Makes what the cases need first. */
  furnish?(world: World): Promise<void>;
  property(world: World): fc.IAsyncProperty<any>;
}

/** Sends messages that receipts can be about: from the sandbox they get the receipt `sent`, no other. */
async function sendSome({ service }: World): Promise<void> {
  for (let i = 0; i < 12; i += 1) await service.api.send('+12025550102');
}

export const TARGETS = {
  api: { few: 1_500, many: 5_000, property: apiProperty },
  dashboard: { few: 700, many: 5_000, property: dashboardProperty, furnish },
  webhooks: { few: 350, many: 1_500, property: webhooksProperty, furnish: sendSome },
  'http-split': { few: 200, many: 2_000, property: splitProperty },
  'http-pipeline': { few: 100, many: 1_000, property: pipelineProperty },
  'http-harm': { few: 500, many: 5_000, property: harmProperty },
  components: { few: 2_000, many: 20_000, property: componentsProperty },
  'components-http': { few: 30, many: 200, property: componentsHttpProperty },
} satisfies Record<string, Target>;

export type TargetName = keyof typeof TARGETS;

/** Without the throttle, so that the service judges every request. */
export const FUZZ_CONFIG: Partial<Config> = { THROTTLE_LIMIT: 0 };

import type { GraphAccess } from './graph-access.js';
import type { PushedEvents } from './pushed-events.js';
import type { RateLimits } from './rate-limits.js';
import type { RecipientActions } from './recipient-actions.js';
import type { SandboxClock } from './sandbox-clock.js';
import type { SandboxControl } from './sandbox-control.js';
import type { SandboxState } from './sandbox-state.js';
import type { Sending } from './sending.js';
import type { TemplateCatalog } from './template-catalog.js';
import type { Timers } from './timers.js';

/** The parts of the sandbox that its routes use. */
export interface GraphParts {
  state: SandboxState;
  access: GraphAccess;
  limits: RateLimits;
  sending: Sending;
  catalog: TemplateCatalog;
  control: SandboxControl;
  recipients: RecipientActions;
  timers: Timers;
  pushed: PushedEvents;
  clock: SandboxClock;
}

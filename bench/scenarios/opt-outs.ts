import type { Measure } from '../bench.js';
import { acceptOnly } from './accept.js';

/** Opt-outs of the tenant; in a smoke run fewer. */
const OPT_OUTS = 1_000_000;
const FEW = 20_000;

/** `accept` for a tenant of whose recipients a million, none of those who are sent to, have opted out. */
export const optOuts: Measure = async (deployment, options) => {
  await deployment.prepare();
  await deployment.optOut(options.smoke ? FEW : OPT_OUTS);
  return acceptOnly(deployment, options, 1);
};

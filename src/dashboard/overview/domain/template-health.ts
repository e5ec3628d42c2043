/** What became of messages. */
export interface Counts {
  /** Taken by the provider. */
  sent: number;
  delivered: number;
  read: number;
  failed: number;
  /** Failed because the recipient has stopped marketing messages from this sender. */
  opted_out: number;
  /** Failed because the recipient has reached the provider's cap of marketing messages: no complaint. */
  capped: number;
}

export interface TemplateCounts extends Counts {
  template_id: number;
  category: string;
  quality: string | null;
}

/** Fractions; null where there is nothing to divide by. */
export interface Rates {
  delivery_rate: number | null;
  read_rate: number | null;
  failure_rate: number | null;
  opt_out_rate: number | null;
  cap_rate: number | null;
}

/** Why the provider may pause a template soon. */
export type Warning = 'quality_low' | 'quality_medium' | 'opt_outs_high' | 'read_rate_low';

/** With fewer messages, a rate says little. */
const ENOUGH = 100;

/** Opt-outs are many from this part of the messages with a known fate, and from this number of people. */
const OPT_OUT_RATE = 0.02;
const OPT_OUTS = 5;

/** Read far less: below this part of the other templates' read rate, if that is at least READ_AT_ALL. */
const FAR_BELOW = 0.5;
const READ_AT_ALL = 0.1;

/** Failures, opt-outs and caps are divided by the messages with a known fate; reads by the delivered ones. */
export function ratesOf({ sent, delivered, read, failed, opted_out, capped }: Counts): Rates {
  const known = delivered + failed;
  return {
    delivery_rate: ratio(delivered, sent),
    read_rate: ratio(read, delivered),
    failure_rate: ratio(failed, known),
    opt_out_rate: ratio(opted_out, known),
    cap_rate: ratio(capped, known),
  };
}

/**
 * Signs that the provider may soon act against a template: its present rating, recipients who stop marketing messages,
 * and messages that are hardly read. The most pressing sign comes first.
 * @param all the tenant's templates in the same period
 */
export function warningsOf(template: TemplateCounts, all: readonly TemplateCounts[]): Warning[] {
  const warnings: Warning[] = [];
  if (template.quality === 'RED') warnings.push('quality_low');
  if (template.quality === 'YELLOW') warnings.push('quality_medium');
  if (hasManyOptOuts(template)) warnings.push('opt_outs_high');
  if (isReadFarLess(template, all)) warnings.push('read_rate_low');
  return warnings;
}

function hasManyOptOuts({ delivered, failed, opted_out }: TemplateCounts): boolean {
  const known = delivered + failed;
  return known >= ENOUGH && opted_out >= OPT_OUTS && opted_out / known >= OPT_OUT_RATE;
}

/** Compared within its category: codes, for example, are read in the notification, which is not reported as read. */
function isReadFarLess(template: TemplateCounts, all: readonly TemplateCounts[]): boolean {
  const others = all.filter(
    ({ template_id, category }) => template_id !== template.template_id && category === template.category,
  );
  const delivered = sum(others, 'delivered');
  if (template.delivered < ENOUGH || delivered < ENOUGH) return false;
  const usual = sum(others, 'read') / delivered;
  return usual >= READ_AT_ALL && template.read / template.delivered < usual * FAR_BELOW;
}

function sum(templates: readonly TemplateCounts[], field: 'delivered' | 'read'): number {
  return templates.reduce((total, template) => total + template[field], 0);
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

import type { AlertKind } from '../../alerts/domain/alert-kind.js';
import type { HoldScope } from '../outcome.js';

/** An open hold, with the names of what it keeps. */
export interface NamedHold {
  id: number;
  tenant_id: string;
  scope: Exclude<HoldScope, 'restore'>;
  target_id: string;
  cause: string;
  /** The code and title of the refusal. */
  code: number | null;
  title: string;
  created_at: Date;
  business_account_id: string | null;
  waba_id: string | null;
  /** Of a number: its name and `messaging_account_id`; of a template: its name and language. */
  name: string | null;
  detail: string | null;
}

/** The kinds of alerts of holds. */
export const HOLD_KINDS: readonly AlertKind[] = ['hold', 'token_refused'];

/** What people have to know of a hold. Not the provider's details, which may name a recipient. */
export function alertOfHold(hold: NamedHold): { kind: AlertKind; subject: string; text: string } {
  const { scope, target_id, cause, code, title } = hold;
  const why = code === null ? title : `${title} (provider code ${code})`;
  return {
    kind: cause === 'auth' ? 'token_refused' : 'hold',
    subject: `${scope}:${target_id}`,
    text: `Messages of ${whatIsHeld(hold)} wait. ${why}.`,
  };
}

function whatIsHeld({ scope, waba_id, name, detail }: NamedHold): string {
  if (scope === 'business_account') return `the business account ${waba_id}`;
  return scope === 'number' ? `the number ${name} (${detail})` : `the template ${name} (${detail})`;
}

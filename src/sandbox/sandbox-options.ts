import { Clock } from '../common/clock.js';

/** How the sandbox behaves; every time is in milliseconds. */
export interface SandboxOptions {
  /** Default `127.0.0.1`. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** How long a template stays PENDING before its review ends. Default 1500. */
  reviewDelay?: number;
  /** Between the receipts of one message (sent → delivered → read). Default 150. */
  receiptDelay?: number;
  /** Wait before a delivery without a 200 is tried again; it doubles each time, up to 5 minutes. Default 500. */
  webhookRetryDelay?: number;
  /** Most updates in one webhook delivery, when they have to queue. Default 1. */
  webhookBatch?: number;
  /** How long the recipient `slow` makes its sender wait. Default 3000. */
  slowDelay?: number;
  /** Whether the provider's rate limits hold: per number, per pair, per management call. Default true. */
  limits?: boolean;
  /** A file (JSON, mode 600) that keeps accounts, templates and the inbox over a restart. Default: memory only. */
  stateFile?: string;
  /** The time of edits, limits and receipts. Timers always run in real time. */
  clock?: Clock;
}

export type SandboxSettings = Required<Omit<SandboxOptions, 'stateFile'>> & Pick<SandboxOptions, 'stateFile'>;

const DEFAULTS = {
  host: '127.0.0.1',
  port: 0,
  reviewDelay: 1500,
  receiptDelay: 150,
  webhookRetryDelay: 500,
  webhookBatch: 1,
  slowDelay: 3000,
  limits: true,
};

/** The options with their defaults; an option that is `undefined` counts as absent. */
export function settingsFrom(options: SandboxOptions): SandboxSettings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { clock: new Clock(), ...DEFAULTS, ...given };
}

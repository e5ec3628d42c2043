import { Webhook } from 'standardwebhooks';
import type { Clock } from '../common/clock.js';
import { GraphError } from './graph-error.js';
import type { SandboxState } from './sandbox-state.js';
import { type LinkedService, linkEndpoint } from './service-link.js';

/** How the receiver answers what is signed well: takes it, fails, or never answers. */
export const PUSH_ANSWERS = ['ok', 'error_500', 'hang'] as const;
export type PushAnswer = (typeof PUSH_ANSWERS)[number];

/** Requests that are remembered. */
const MOST_PUSHES = 200;

export type SignatureHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

/** A request that came with events. */
export interface Push {
  /** Counts the requests, from 1. */
  number: number;
  /** ISO 8601, UTC. */
  received_at: string;
  /** The same for each try of the same events. */
  webhook_id: string;
  /** Which try it is, from 1. */
  tries: number;
  /** Why it was refused; null where the signature is one of a known secret. */
  fault: string | null;
  answer: PushAnswer | 'refused';
  /** As it came. */
  body: string;
}

/** A receiver of the service's own events, as a tenant would have one: it checks signatures and shows what came. */
export class PushedEvents {
  /** Whose events a click has pushed here; undefined where the sandbox runs by itself. */
  service: LinkedService | undefined;
  /** Until it is set again or the sandbox ends. */
  private current: PushAnswer = 'ok';
  /** Oldest first. */
  private pushes: Push[] = [];
  private count = 0;

  constructor(
    private readonly state: SandboxState,
    private readonly clock: Clock,
  ) {}

  get answer(): PushAnswer {
    return this.current;
  }

  setAnswer(answer: unknown): void {
    const known = PUSH_ANSWERS.find((one) => one === answer);
    if (!known) throw new GraphError(100, `answer must be one of ${PUSH_ANSWERS.join(', ')}.`);
    this.current = known;
  }

  /** Whether a secret is known, without which every request is refused. */
  get isReady(): boolean {
    return this.state.endpointSecrets.length > 0;
  }

  /** @param secret as the service showed it when the endpoint was made */
  addSecret(secret: string): void {
    if (!/^whsec_[A-Za-z0-9+/]{32,128}={0,2}$/.test(secret))
      throw new GraphError(100, 'secret must be that of an endpoint: whsec_ and base64.');
    this.state.addEndpointSecret(secret);
  }

  /** Has the events of the linked service's tenant pushed to an address of this receiver. */
  async link(url: string): Promise<void> {
    if (!this.service) throw new GraphError(100, 'The sandbox runs by itself: make the endpoint by hand.');
    this.addSecret(await linkEndpoint(this.service, url));
  }

  /** Notes a request. @returns how to answer it */
  receive(headers: SignatureHeaders, body: string): Push['answer'] {
    const fault = this.faultOf(headers, body);
    const answer = fault === null ? this.current : 'refused';
    const webhookId = headers['webhook-id'];
    const tries = this.pushes.findLast((push) => push.webhook_id === webhookId)?.tries ?? 0;
    this.pushes.push({
      number: (this.count += 1),
      received_at: this.clock.now().toISOString(),
      webhook_id: webhookId,
      tries: tries + 1,
      fault,
      answer,
      body,
    });
    this.pushes = this.pushes.slice(-MOST_PUSHES);
    return answer;
  }

  /** Newest first. */
  list(): Push[] {
    return this.pushes.toReversed();
  }

  private faultOf(headers: SignatureHeaders, body: string): string | null {
    if (!this.isReady) return 'No secret is known here.';
    const faults = this.state.endpointSecrets.map((secret) => {
      try {
        new Webhook(secret).verify(body, headers);
        return null;
      } catch (error) {
        return (error as Error).message;
      }
    });
    return faults.includes(null) ? null : `Signature: ${faults.at(-1)}.`;
  }
}

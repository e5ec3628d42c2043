import { Injectable } from '@nestjs/common';
import { SecretBox } from '../accounts/secret-box.js';
import { Clock } from '../common/clock.js';
import { idOf, signedHeaders } from './endpoint-signature.js';
import type { FormerSecret } from './webhook-endpoint.entity.js';

/** An endpoint with its secrets as they are stored. */
export interface Signed {
  id: string;
  secret: string;
  formerSecrets: readonly FormerSecret[];
}

/** Signs whatever is posted to an endpoint with each of its secrets that count at that time. */
@Injectable()
export class EndpointSigner {
  constructor(
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** @returns the headers with which to post the body */
  sign({ id, secret, formerSecrets }: Signed, body: string): Record<string, string> {
    const now = this.clock.now().getTime();
    const former = formerSecrets.filter(({ until }) => Date.parse(until) > now);
    const secrets = [secret, ...former.map((one) => one.secret)].map((sealed) => this.box.open(sealed));
    return signedHeaders(idOf(id, body), body, secrets);
  }
}

import { Secret, TOTP } from 'otpauth';
import type { Api } from './api.js';
import { SECRETS, type TestService } from './service.js';

const STEP = 30_000;

export const SECOND_FACTOR = '/dashboard/api/second-factor';

/** The authenticator app of a user. */
export class CodeApp {
  constructor(
    private readonly service: TestService,
    readonly secret: string,
  ) {}

  /** The present code, or the code so many steps of 30 seconds later; before, when `steps` is negative. */
  code(steps = 0): string {
    const timestamp = this.service.clock.now().getTime() + steps * STEP;
    return new TOTP({ secret: Secret.fromBase32(this.secret) }).generate({ timestamp });
  }

  /** Moves the clock to the begin of the next step. @returns its code, which is valid for half a minute */
  next(): string {
    const { clock } = this.service;
    clock.forward(STEP - (clock.now().getTime() % STEP));
    return this.code();
  }
}

/** Turns on the second factor of a user of dashboardApi. */
export async function turnOn(
  service: TestService,
  user: Api,
  password = SECRETS.demoPassword,
): Promise<{ app: CodeApp; code: string; recoveryCodes: string[] }> {
  const begun = await user.post(SECOND_FACTOR, { password });
  const app = new CodeApp(service, begun.body.data['secret']);
  const code = app.next();
  const { body } = await user.post(`${SECOND_FACTOR}/turn-on`, { code });
  return { app, code, recoveryCodes: body.data['recovery_codes'] };
}

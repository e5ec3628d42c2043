/*
 * For tests and the fault harness of test/faults only: places at which a process can be told to die as in a power cut,
 * or to stand still. FAIL_POINTS=after-claim:3 kills it (SIGKILL) when it reaches `after-claim` for the third time;
 * after-claim:3:pause stops it (SIGSTOP) until somebody sends SIGCONT. It is a count rather than a probability, so that
 * the harness' seed decides. FAIL_POINTS is no part of the service's configuration. It is read once, never from .env,
 * and only with NODE_ENV=test: elsewhere a forgotten variable must neither kill a process nor keep it from starting.
 */

/** Every fail point, with what has happened and what has not when a process gets there. */
export const FAIL_POINTS = {
  'after-accept': 'a message is committed, its 202 not sent',
  'after-tokens': "a number's tokens are taken, their permits not added",
  'after-claim': 'messages are claimed, none of them sent',
  'after-answer': 'the provider has answered, the outcome is not recorded',
  'after-outcome': 'the outcome is recorded',
  'after-retry': 'a later try is recorded, its wake-up not added',
  'after-inbox-put': 'a delivery is in the inbox, its 200 not sent',
  'within-inbox-batch': 'deliveries are applied, but neither marked as done nor committed',
} as const;

export type FailPoint = keyof typeof FAIL_POINTS;

const NOTHING = () => undefined;

/** Ends or stops the process if it was told to here; otherwise, and in every real process, does nothing. */
export const failPoint: (name: FailPoint) => void =
  process.env['NODE_ENV'] === 'test' && process.env['FAIL_POINTS']
    ? causing(process.env['FAIL_POINTS'])
    : NOTHING;

function causing(setting: string): (name: FailPoint) => void {
  const faults = new Map(
    setting.split(',').map((one) => {
      const [name, passages, action] = one.split(':');
      return [name, { left: Number(passages), signal: action === 'pause' ? 'SIGSTOP' : 'SIGKILL' }];
    }),
  );
  return (name) => {
    const fault = faults.get(name);
    if (!fault) return;
    fault.left -= 1;
    if (fault.left === 0) process.kill(process.pid, fault.signal);
  };
}

import { writeSync } from 'node:fs';

/**
 * All fail points. There is one between any two actions whose effect survives a crash, such as a commit or a call of a provider, and one
 * after each write of the transactions that move money. The crash tests kill the process at each of them. Each name occurs exactly once in
 * the code.
 */
export const FAIL_POINTS = [
  'create.asked',
  'create.batched',
  'create.batch_committed',
  'create.committed',
  'push.queued',
  'push.committed',
  'callback.came',
  'callback.stored',
  'callback.attached',
  'callback.applied',
  'message.claimed',
  'unmatched.kept',
  'attempt.claimed',
  'attempt.assigned',
  'attempt.held',
  'attempt.called',
  'attempt.answer_stored',
  'outcome.moved',
  'outcome.booked',
  'payment.entered',
  'payment.allocated',
  'bill.changed',
  'bookings.announced',
  'bookings.written',
  'bookings.committed',
  'instrument.claimed',
  'instrument.held',
  'instrument.called',
  'instrument.answer_stored',
  'instrument.applied',
  'instrument.booked',
  'instrument.ended',
  'refund.claimed',
  'refund.held',
  'refund.called',
  'refund.answer_stored',
  'refund.applied',
  'refund.rescheduled',
  'reversal.entered',
  'reversal.settled',
  'reversal.allocated',
  'refund.given_up',
  'refund.asked',
  'refund.entered',
  'refund.settled',
  'refund.allocated',
  'statement.begun',
  'statement.compared',
  'statement.acted',
  'statement.noted',
  'delivery.claimed',
  'delivery.sent',
  'delivery.moved',
  'delivery.recorded',
  'redelivery.reopened',
  'redelivery.advanced',
  'redelivery.taken_back',
  'notice.claimed',
  'notice.queued',
  'seal.chained',
  'seal.headed',
  'seal.committed',
] as const;

export type FailPoint = (typeof FAIL_POINTS)[number];

/** A fail point that ends the process. If `time` is 3, the process ends when it reaches the point for the third time. */
interface ArmedFailPoint {
  readonly point: FailPoint;
  readonly time: number;
}

// Use cases get their dependencies as parameters. The armed fail point is a global variable instead, because a use case can do nothing with
// it: it only ends the process.
let armed: { readonly point: FailPoint; timesLeft: number } | null = null;

/** Parses `name` or `name:count`. Returns null for anything else. */
export function parseFailPoint(text: string): ArmedFailPoint | null {
  const [, name, time = '1'] = /^([\w.]+?)(?::([1-9]\d?))?$/.exec(text) ?? [];
  const point = FAIL_POINTS.find((known) => known === name);
  return point ? { point, time: Number(time) } : null;
}

/** Arms a fail point. If none is armed, `reach` does nothing. */
export function armFailPoint(failPoint: ArmedFailPoint | undefined): void {
  armed = failPoint ? { point: failPoint.point, timesLeft: failPoint.time } : null;
}

/** Marks a fail point. If it is armed, the process ends here as with `kill -9`. */
export function reach(point: FailPoint): void {
  if (armed === null || armed.point !== point) return;
  armed.timesLeft -= 1;
  if (armed.timesLeft > 0) return;
  writeSync(process.stderr.fd, `killed at ${point}\n`);
  process.kill(process.pid, 'SIGKILL');
}

import { writeSync } from 'node:fs';

/**
 * Every place between two durable steps, and after each write of the transactions that move money. The crash matrix kills
 * the process at each of them; a name stands in the code exactly once.
 */
export const FAIL_POINTS = [
  'create.asked',
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
  'bill.events_numbered',
  'bookings.announced',
  'bookings.written',
  'bookings.committed',
  'reversal.claimed',
  'reversal.held',
  'reversal.called',
  'reversal.answer_stored',
  'reversal.applied',
  'reversal.rescheduled',
  'reversal.entered',
  'reversal.settled',
  'reversal.allocated',
  'reversal.given_up',
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

/** A point, and at which time of passing it the process dies. */
export interface ArmedFailPoint {
  readonly point: FailPoint;
  readonly time: number;
}

// Of the process, not of its runtime: a crash is nothing that a use case could handle or a test could pass in.
let armed: { readonly point: FailPoint; timesLeft: number } | null = null;

/** @returns null when the text is no `name` or `name:time`. */
export function parseFailPoint(text: string): ArmedFailPoint | null {
  const [, name, time = '1'] = /^([\w.]+?)(?::([1-9]\d?))?$/.exec(text) ?? [];
  const point = FAIL_POINTS.find((known) => known === name);
  return point ? { point, time: Number(time) } : null;
}

/** Has the process kill itself at a point; with none, every point is a no-op. */
export function armFailPoint(failPoint: ArmedFailPoint | undefined): void {
  armed = failPoint ? { point: failPoint.point, timesLeft: failPoint.time } : null;
}

/** Marks a place between two durable steps. Where tests have armed it, the process ends here as by `kill -9`. */
export function reach(point: FailPoint): void {
  if (armed === null || armed.point !== point) return;
  armed.timesLeft -= 1;
  if (armed.timesLeft > 0) return;
  writeSync(process.stderr.fd, `killed at ${point}\n`);
  process.kill(process.pid, 'SIGKILL');
}

import { currentHold, earliestAttempt, type Hold, type HoldFacts } from '@/lib/webhooks/endpoint/hold-rules';
import { ERROR_CLASSES, type ErrorClass } from '@/lib/webhooks/failure-rules';
import type { DeliveryRow } from './listing-store';
import type { TryRow } from './try-store';

/** One try to deliver, and what the receiver answered. */
export interface TryView extends Omit<TryRow, 'excerpt' | 'errorClass' | 'requestBody'> {
  /** Why it did not deliver; null when it did. */
  readonly error: ErrorClass | null;
  /** The beginning of the answer's body, as text. It is the receiver's: nothing in it may be trusted. */
  readonly excerpt: string;
}

export interface DeliveryView extends DeliveryRow {
  readonly tries: readonly TryView[];
  /** What holds up a delivery that waits; null where nothing does, and for a delivery that does not wait. */
  readonly heldUp: Hold | null;
  /** The earliest time of the next try; null if that is now, if it is unknown, or if there is none. */
  readonly nextTry: Date | null;
}

interface Around {
  readonly tries: readonly TryRow[];
  /** Where the deliveries go; undefined for a merchant without a profile. */
  readonly endpoint: HoldFacts | undefined;
  readonly now: Date;
}

/** Adds each delivery's tries, what holds it up, and when it is tried next. Pure. */
export function viewDeliveries(deliveries: readonly DeliveryRow[], { tries, endpoint, now }: Around): DeliveryView[] {
  const byDelivery = Map.groupBy(tries, ({ deliveryId }) => deliveryId);
  const hold = endpoint ? currentHold(endpoint, now) : null;
  return deliveries.map((delivery) => {
    const { state, dueAt } = delivery;
    return {
      ...delivery,
      tries: (byDelivery.get(delivery.id) ?? []).map(readTry),
      heldUp: state === 'PENDING' || state === 'BLOCKED' ? hold : null,
      nextTry: state === 'PENDING' && dueAt ? earliestAttempt(dueAt, hold, now) : null,
    };
  });
}

/** @returns a try as people see it. Pure. */
export function readTry({ excerpt, errorClass, requestBody: _, ...row }: TryRow): TryView {
  const error = errorClass === null ? null : (ERROR_CLASSES.find((known) => known === errorClass) ?? 'other');
  // Tries from before facts were kept have their status in its own place alone.
  const status = row.httpStatus === null ? {} : { status: row.httpStatus };
  return { ...row, excerpt: excerptOf(excerpt), error, errorData: { ...status, ...row.errorData } };
}

/** @returns what a receiver answered, as text without control characters. */
export function excerptOf(bytes: Uint8Array): string {
  return new TextDecoder()
    .decode(bytes)
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim();
}

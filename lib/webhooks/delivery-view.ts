import { ERROR_CLASSES, type ErrorClass } from './failure-rules';
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
}

/** Puts each delivery's tries with it. Pure. */
export function withTries(deliveries: readonly DeliveryRow[], tries: readonly TryRow[]): DeliveryView[] {
  const byDelivery = Map.groupBy(tries, ({ deliveryId }) => deliveryId);
  return deliveries.map((delivery) => ({ ...delivery, tries: (byDelivery.get(delivery.id) ?? []).map(readTry) }));
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

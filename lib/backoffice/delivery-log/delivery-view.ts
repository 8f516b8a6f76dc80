import { excerptOf } from '@/lib/gateway/webhooks/deliver/call-endpoint';
import { currentHold, earliestAttempt, type Hold, type HoldFacts } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { ERROR_CLASSES, type ErrorClass } from '@/lib/gateway/webhooks/failure-rules';
import type { DeliveryRow, LoggedAttempt } from './delivery-store';

/** A delivery attempt with the receiver's answer, as people see it. */
export interface AttemptView extends Omit<LoggedAttempt, 'excerpt' | 'errorClass' | 'requestBody'> {
  /** Why the attempt failed; null if it succeeded. */
  readonly error: ErrorClass | null;
  /** The beginning of the response body, as text. It comes from the receiver and must not be trusted. */
  readonly excerpt: string;
}

export interface DeliveryView extends DeliveryRow {
  readonly attempts: readonly AttemptView[];
  /** Why a waiting delivery is not sent now. Null if nothing holds the delivery, or if it is not waiting. */
  readonly hold: Hold | null;
  /** The earliest time of the next attempt. Null if the attempt can be made now, if its time is unknown, or if there will be none. */
  readonly nextTry: Date | null;
}

interface Context {
  readonly attempts: readonly LoggedAttempt[];
  /** The endpoint of the deliveries; undefined for a merchant without a profile. */
  readonly endpoint: HoldFacts | undefined;
  readonly now: Date;
}

/** Adds to each delivery its attempts, why it is held, and the time of its next attempt. */
export function viewDeliveries(deliveries: readonly DeliveryRow[], { attempts, endpoint, now }: Context): DeliveryView[] {
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  const hold = endpoint ? currentHold(endpoint, now) : null;
  return deliveries.map((delivery) => {
    const { state, dueAt } = delivery;
    return {
      ...delivery,
      attempts: (byDelivery.get(delivery.id) ?? []).map(viewAttempt),
      hold: state === 'PENDING' || state === 'BLOCKED' ? hold : null,
      nextTry: state === 'PENDING' && dueAt ? earliestAttempt(dueAt, hold, now) : null,
    };
  });
}

export function viewAttempt({ excerpt, errorClass, requestBody: _, ...row }: LoggedAttempt): AttemptView {
  const error = errorClass === null ? null : (ERROR_CLASSES.find((known) => known === errorClass) ?? 'other');
  // Old attempts were stored without `status` in their error data.
  const status = row.httpStatus === null ? {} : { status: row.httpStatus };
  return { ...row, excerpt: excerptOf(excerpt), error, errorData: { ...status, ...row.errorData } };
}

import type { Clock } from '@/lib/core/clock';
import type { Behaviour, Ending } from './behaviours';

/** A payment request that a simulated provider has accepted. `Details` is what the simulator of one provider stores in addition. */
export interface SimulatedPayment<Details = unknown> {
  /** The client's reference. */
  readonly reference: string;
  /** The id that the simulated provider gave to the payment request. */
  readonly id: string;
  /** As the client sent it. */
  readonly mobile: string;
  /** Whole shillings. */
  readonly amount: number;
  readonly takenAt: number;
  readonly behaviour: Behaviour;
  readonly details: Details;
  /** When the payment was reversed through the API; null if it was not. */
  reversedAt: number | null;
  /** The time of the last status query about the payment; null if there was none. */
  queriedAt: number | null;
}

interface RecordOptions {
  readonly clock: Clock;
  /** Multiplies every delay. */
  readonly delayFactor: number;
}

/** Creates the memory of a simulated provider: the payments that it has accepted. */
export function createRecord<Details>({ clock, delayFactor }: RecordOptions) {
  type Payment = SimulatedPayment<Details>;
  const payments: Payment[] = [];
  const byId = new Map<string, Payment>();
  const byReference = new Map<string, Payment>();
  const now = () => clock().getTime();
  const isDue = ({ takenAt }: Payment, afterMs: number) => now() - takenAt >= afterMs * delayFactor;

  return {
    payments,
    take(payment: Omit<Payment, 'takenAt' | 'reversedAt' | 'queriedAt'>): Payment {
      const taken: Payment = { ...payment, takenAt: now(), reversedAt: null, queriedAt: null };
      payments.push(taken);
      byId.set(taken.id, taken);
      byReference.set(taken.reference, taken);
      return taken;
    },
    findById: (id: string): Payment | undefined => byId.get(id),
    findByReference: (reference: string): Payment | undefined => byReference.get(reference),
    /** Returns the payment for a status query; undefined if there is none, or if status queries do not find it yet. */
    query(payment: Payment | undefined): Payment | undefined {
      if (!payment) return undefined;
      payment.queriedAt = now();
      return isDue(payment, payment.behaviour.hiddenMs ?? 0) ? payment : undefined;
    },
    /** Returns the latest ending of the payment; null while the customer has not answered. */
    endingOf(payment: Payment): Ending | null {
      return payment.behaviour.steps.filter(({ afterMs }) => isDue(payment, afterMs)).at(-1)?.ending ?? null;
    },
    isReversed(payment: Payment): boolean {
      return payment.reversedAt !== null || isDue(payment, payment.behaviour.reversedAfterMs ?? Number.POSITIVE_INFINITY);
    },
    now,
  };
}

import type { Clock, Random } from '@/lib/platform/core/clock';
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
  /** When the payment is reversed through the API; null if it is not. */
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
      return (
        (payment.reversedAt ?? Number.POSITIVE_INFINITY) <= now() ||
        isDue(payment, payment.behaviour.reversedAfterMs ?? Number.POSITIVE_INFINITY)
      );
    },
    now,
  };
}

/** Creates the issuer of a simulated provider's access tokens. */
export function createTokens({ clock, random, lifeMs }: { readonly clock: Clock; readonly random: Random; readonly lifeMs: number }) {
  const issued = new Map<string, number>();
  let count = 0;
  return {
    lifeMs,
    issue(): string {
      const token = Buffer.from(random(24)).toString('base64url');
      issued.set(token, clock().getTime() + lifeMs);
      count += 1;
      return token;
    },
    /**
     * Returns whether a request has a valid token.
     * @param authorization the value of the header, such as `Bearer …`. The scheme may have any case.
     */
    admits(authorization: string | undefined): boolean {
      const token = /^bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
      return (issued.get(token) ?? 0) > clock().getTime();
    },
    endAll: () => issued.clear(),
    /** Returns the number of tokens issued so far. */
    count: () => count,
  };
}

/** Creates a limit on the number of requests within any 60 seconds. */
export function createMinuteLimit(clock: Clock) {
  let times: number[] = [];
  return {
    /** Counts a request and returns true. If the limit is reached, only returns false. @param perMinute null for no limit. */
    take(perMinute: number | null): boolean {
      const now = clock().getTime();
      times = times.filter((time) => time > now - 60_000);
      if (perMinute !== null && times.length >= perMinute) return false;
      times.push(now);
      return true;
    },
    /** Returns the number of counted requests in the minute before the latest request. */
    used: () => times.length,
  };
}

/** Errors that a client can make and that can cost money. A simulator notices such errors, so that it can test any client. */
const RULES = {
  repeated_request:
    'After a request whose answer was lost, the client sent another one for the same customer and amount. The customer may pay twice.',
  forged_callback_believed: 'The client received a forged callback and did not ask for the status of the payment afterwards.',
  paid_not_noticed: 'A payment was made without a callback, and the client did not ask for its status afterwards.',
  wrong_address: 'The client used an address that does not answer for these payments.',
} as const;
type Rule = keyof typeof RULES;

interface Complaint {
  readonly at: Date;
  readonly rule: Rule;
  /** The reference of the payment; null if the complaint is not about one payment. */
  readonly reference: string | null;
  readonly detail: string;
}

/** For this long after a lost answer, another request for the same customer and amount counts as a repetition. */
const REPEATED_MS = 5 * 60_000;
/** A client must ask for the status within this time after a forged callback, or after a payment without a callback. */
export const MUST_ASK_MS = 5 * 60_000;

type Asked = Pick<SimulatedPayment, 'reference' | 'mobile' | 'amount'>;

interface ComplaintOptions {
  /** Multiplies the times of the rules. */
  readonly delayFactor: number;
  /** True if a second request with the same reference starts no second payment. Then only a repetition with a new reference is an error. */
  readonly refusesDuplicates: boolean;
}

/** Creates the list of complaints of a simulator: the errors of its client that it has noticed. */
export function createComplaints(now: () => number, { delayFactor, refusesDuplicates }: ComplaintOptions) {
  const list: Complaint[] = [];
  const lost: (Asked & { readonly at: number })[] = [];
  const add = (rule: Rule, reference: string | null, detail: string = RULES[rule]) =>
    list.push({ at: new Date(now()), rule, reference, detail });

  return {
    list,
    add,
    /**
     * Records a payment request. Call this before the request is answered. Adds a complaint if the request repeats an earlier request whose
     * answer was lost.
     */
    requested({ reference, mobile, amount }: Asked): void {
      const repeats = lost.some(
        (one) =>
          (one.reference !== reference || !refusesDuplicates) &&
          one.mobile === mobile &&
          one.amount === amount &&
          now() - one.at < REPEATED_MS * delayFactor,
      );
      if (repeats) add('repeated_request', reference);
    },
    /** Records that the client got no usable answer to a request. */
    answerLost(asked: Asked): void {
      lost.push({ ...asked, at: now() });
    },
    /**
     * Adds a complaint if the client has sent no status query since the given time. Call this some time after a forged callback, or after a
     * payment without a callback.
     */
    checkAsked(rule: 'forged_callback_believed' | 'paid_not_noticed', payment: SimulatedPayment, since: number): void {
      if ((payment.queriedAt ?? 0) < since) add(rule, payment.reference);
    },
  };
}

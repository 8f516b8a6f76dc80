import type { SimulatedPayment } from './record';

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

interface Asked {
  readonly reference: string;
  readonly mobile: string;
  readonly amount: number;
}

interface Lost extends Asked {
  readonly at: number;
}

interface ComplaintOptions {
  /** Multiplies the times of the rules. */
  readonly delayFactor: number;
  /** True if a second request with the same reference starts no second payment. Then only a repetition with a new reference is an error. */
  readonly refusesDuplicates: boolean;
}

/** Creates the list of complaints of a simulator: the errors of its client that it has noticed. */
export function createComplaints(now: () => number, { delayFactor, refusesDuplicates }: ComplaintOptions) {
  const list: Complaint[] = [];
  const lost: Lost[] = [];
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

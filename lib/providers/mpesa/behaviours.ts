import type { Code } from './codes';

/** The states of a payment in a status answer. */
export type TransactionStatus = 'In Progress' | 'Completed' | 'Cancelled' | 'Expired' | 'Failed';

/** Describes the behaviour for the last digits of a mobile number, for the help of the command line. */
export const MEANINGS = [
  ['001', 'paid after 1 s'],
  ['002, 003, 004', 'cancelled, wrong PIN, insufficient balance, after 2 s'],
  ['005', 'the customer does not answer: expired after 60 s'],
  ['006', 'not registered with M-Pesa: refused immediately'],
  ['007', 'paid, and no callback comes'],
  ['008', 'paid, and the callback comes twice'],
  ['010', 'paid, but the answer to the request is lost'],
  ['011', 'expired after 60 s, but paid after 90 s'],
  ['012', 'the callback comes before the answer'],
  ['013', 'rejected with HTTP 429: too many requests'],
  ['014', 'insufficient balance, reported as an internal error'],
  ['015', "the customer's limit is exceeded"],
  ['016', 'paid, but status queries do not find it for 30 s'],
  ['017', 'the connection is closed before the request is accepted'],
  ['018', 'a gateway in front of the platform answers 502'],
  ['019', 'paid, but the answer is an HTML page'],
  ['020', 'paid, and reversed outside Bili after 50 s'],
  ['021', 'paid after 150 s'],
  ['any other', 'paid after 5 s'],
] as const;

/** A change of the state of a payment, some time after its request. */
interface Step {
  readonly afterMs: number;
  readonly status: TransactionStatus;
  /** The result code in the synchronous answer or the callback. */
  readonly code: Code;
  /** The number of callbacks that report the change, in asynchronous mode. */
  readonly callbacks: number;
}

/** How a request is refused before a payment is recorded. `cut` closes the connection. */
type Refusal =
  | { readonly kind: 'code'; readonly code: Code }
  | { readonly kind: 'http'; readonly status: number; readonly body: string }
  | { readonly kind: 'cut' };

export interface Behaviour {
  readonly refusal?: Refusal;
  readonly steps: readonly Step[];
  /** An unusual answer to the recorded request. `cut`: no answer. `html`: an HTML page. `after_callback`: the callback comes first. */
  readonly answer?: 'cut' | 'html' | 'after_callback';
  /** How long status queries answer INS-23 although the payment is recorded. */
  readonly hiddenMs?: number;
  /** Time from the payment request until the payment is reversed without a request of Bili; not set if this does not happen. */
  readonly reversedAfterMs?: number;
}

/** The customer pays `afterMs` milliseconds after the request. */
export const paid = (afterMs: number, callbacks = 1): Step => ({ afterMs, status: 'Completed', code: 'INS-0', callbacks });
const ends = (afterMs: number, status: TransactionStatus, code: Code): Step => ({ afterMs, status, code, callbacks: 1 });
const refused = (refusal: Refusal): Behaviour => ({ refusal, steps: [] });

/**
 * The behaviours by the last three digits of the mobile number. The digits from 001 to 012, except 009, have the same meaning as in Bili's
 * sandbox.
 */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  '001': { steps: [paid(1_000)] },
  '002': { steps: [ends(2_000, 'Cancelled', 'INS-6')] },
  '003': { steps: [ends(2_000, 'Failed', 'INS-6')] },
  '004': { steps: [ends(2_000, 'Failed', 'INS-2006')] },
  '005': { steps: [ends(60_000, 'Expired', 'INS-9')] },
  '006': refused({ kind: 'code', code: 'INS-2051' }),
  '007': { steps: [paid(1_000, 0)] },
  '008': { steps: [paid(1_000, 2)] },
  '010': { steps: [paid(2_000)], answer: 'cut' },
  '011': { steps: [ends(60_000, 'Expired', 'INS-9'), paid(90_000)] },
  '012': { steps: [paid(0)], answer: 'after_callback' },
  '013': refused({ kind: 'http', status: 429, body: 'Too Many Requests' }),
  // Insufficient balance, reported as an internal error.
  '014': { steps: [ends(2_000, 'Failed', 'INS-1')] },
  '015': refused({ kind: 'code', code: 'INS-990' }),
  '016': { steps: [paid(1_000, 0)], hiddenMs: 30_000 },
  '017': refused({ kind: 'cut' }),
  '018': refused({ kind: 'http', status: 502, body: '<html><h1>502 Bad Gateway</h1></html>' }),
  '019': { steps: [paid(2_000)], answer: 'html' },
  '020': { steps: [paid(1_000)], reversedAfterMs: 50_000 },
  '021': { steps: [paid(150_000)] },
};

const ANY_OTHER: Behaviour = { steps: [paid(5_000)] };

export function behaviourOf(msisdn: string): Behaviour {
  return BEHAVIOURS[msisdn.slice(-3)] ?? ANY_OTHER;
}

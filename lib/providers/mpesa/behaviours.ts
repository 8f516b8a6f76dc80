import type { Code } from './codes';

/** How a status query names what became of a push. */
export type TransactionStatus = 'In Progress' | 'Completed' | 'Cancelled' | 'Expired' | 'Failed';

/** What the ends of mobile numbers mean, for people. */
export const MEANINGS = [
  ['001', 'paid after 1 s'],
  ['002, 003, 004', 'cancelled, wrong PIN, not enough money, after 2 s'],
  ['005', 'nobody answers: expired after 60 s'],
  ['006', 'not a customer: refused at once'],
  ['007', 'paid, and no callback comes'],
  ['008', 'paid, called back twice'],
  ['010', 'paid, but the answer to the push is cut off'],
  ['011', 'expired after 60 s, and paid after 90 s all the same'],
  ['012', 'called back before the push is answered'],
  ['013', 'turned away: too many requests'],
  ['014', 'not enough money, told as an internal error'],
  ['015', "over the customer's limit"],
  ['016', 'paid, but status queries do not find it for 30 s'],
  ['017', 'the connection dies before anything is taken'],
  ['018', 'a gateway in between answers 502'],
  ['019', 'paid, but answered with a web page'],
  ['020', 'paid, and reversed by somebody else after 50 s'],
  ['021', 'paid after two and a half minutes'],
  ['any other', 'paid after 5 s'],
] as const;

/** Something that happens to a push, some time after it was taken. */
interface Step {
  readonly afterMs: number;
  readonly status: TransactionStatus;
  /** What a synchronous answer or a callback says of it. */
  readonly code: Code;
  /** How many callbacks tell of it in asynchronous mode, each so long after the one before. */
  readonly callbacks: number;
}

/** Turned away before anything is recorded, or before anything can be known. */
type Refusal =
  | { readonly kind: 'code'; readonly code: Code }
  | { readonly kind: 'http'; readonly status: number; readonly body: string }
  | { readonly kind: 'cut' };

export interface Behaviour {
  readonly refusal?: Refusal;
  readonly steps: readonly Step[];
  /** `cut`: the connection dies once the push is recorded. `html`: taken, answered with a page. `after_callback`: told before it is answered. */
  readonly answer?: 'cut' | 'html' | 'after_callback';
  /** How long status queries say INS-23 though it is known. */
  readonly hiddenMs?: number;
  /** The payment is taken back by somebody else, so long after the push. */
  readonly reversedAfterMs?: number;
}

const paid = (afterMs: number, callbacks = 1): Step => ({ afterMs, status: 'Completed', code: 'INS-0', callbacks });
const ends = (afterMs: number, status: TransactionStatus, code: Code): Step => ({ afterMs, status, code, callbacks: 1 });
const refused = (refusal: Refusal): Behaviour => ({ refusal, steps: [] });

/** By the last three digits of the mobile number; the first twelve mean what they mean to the sandbox provider. */
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
  // An empty wallet, told as an internal error.
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

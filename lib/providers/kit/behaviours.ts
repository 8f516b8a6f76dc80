/** How a simulated payment ends. */
export type Ending = 'paid' | 'cancelled' | 'wrong_pin' | 'insufficient_funds' | 'internal_error' | 'expired';

/** What the simulated aggregators say about a payment that has failed. */
export const FAILURE_TEXTS: Readonly<Record<Exclude<Ending, 'paid'>, string>> = {
  cancelled: 'Transaction was cancelled by the customer',
  wrong_pin: 'Customer entered a wrong PIN',
  insufficient_funds: 'Insufficient balance',
  internal_error: 'Internal error',
  expired: 'Transaction timed out',
};

/** Why a simulated provider refuses a request before it records a payment. `cut` closes the connection. */
export type Refusal = 'not_registered' | 'limit_exceeded' | 'too_many_requests' | 'bad_gateway' | 'cut';

/** A change of the state of a payment, some time after its request. */
interface Step {
  readonly afterMs: number;
  readonly ending: Ending;
  readonly callbacks: number;
}

export interface Behaviour {
  readonly refusal?: Refusal;
  readonly steps: readonly Step[];
  /** An unusual answer to the recorded request. `cut`: no answer. `html`: an HTML page. `after_callback`: the callback comes first. */
  readonly answer?: 'cut' | 'html' | 'after_callback';
  /** Time from the request until status queries find the payment. They do not find it earlier, although it is recorded. */
  readonly hiddenMs?: number;
  /** Time from the request until the payment is reversed outside Bili. */
  readonly reversedAfterMs?: number;
  /** Time from the request until a forged callback says that the payment is paid. */
  readonly forgedAfterMs?: number;
}

export const paid = (afterMs: number, callbacks = 1): Step => ({ afterMs, ending: 'paid', callbacks });
const ends = (afterMs: number, ending: Ending): Step => ({ afterMs, ending, callbacks: 1 });
const refused = (refusal: Refusal): Behaviour => ({ refusal, steps: [] });

interface Number {
  /** The last three digits of the mobile number. */
  readonly digits: string;
  readonly meaning: string;
  readonly behaviour: Behaviour;
}

/** The behaviours by the last three digits of the mobile number. They are the same for all simulated providers. */
export const NUMBERS: readonly Number[] = [
  { digits: '001', meaning: 'paid after 1 s', behaviour: { steps: [paid(1_000)] } },
  { digits: '002', meaning: 'cancelled after 2 s', behaviour: { steps: [ends(2_000, 'cancelled')] } },
  { digits: '003', meaning: 'wrong PIN, after 2 s', behaviour: { steps: [ends(2_000, 'wrong_pin')] } },
  { digits: '004', meaning: 'insufficient balance, after 2 s', behaviour: { steps: [ends(2_000, 'insufficient_funds')] } },
  { digits: '005', meaning: 'the customer does not answer: expired after 60 s', behaviour: { steps: [ends(60_000, 'expired')] } },
  { digits: '006', meaning: 'the number has no wallet: refused immediately', behaviour: refused('not_registered') },
  { digits: '007', meaning: 'paid after 1 s, and no callback comes', behaviour: { steps: [paid(1_000, 0)] } },
  { digits: '008', meaning: 'paid after 1 s, and the callback comes twice', behaviour: { steps: [paid(1_000, 2)] } },
  { digits: '010', meaning: 'paid after 2 s, but the answer to the request is lost', behaviour: { steps: [paid(2_000)], answer: 'cut' } },
  { digits: '011', meaning: 'expired after 60 s, but paid after 90 s', behaviour: { steps: [ends(60_000, 'expired'), paid(90_000)] } },
  { digits: '012', meaning: 'the callback comes before the answer', behaviour: { steps: [paid(0)], answer: 'after_callback' } },
  { digits: '013', meaning: 'rejected with HTTP 429: too many requests', behaviour: refused('too_many_requests') },
  { digits: '014', meaning: 'insufficient balance, reported as an internal error', behaviour: { steps: [ends(2_000, 'internal_error')] } },
  { digits: '015', meaning: "the customer's limit is exceeded: refused immediately", behaviour: refused('limit_exceeded') },
  { digits: '016', meaning: 'paid, but status queries do not find it for 30 s', behaviour: { steps: [paid(1_000, 0)], hiddenMs: 30_000 } },
  { digits: '017', meaning: 'the connection is closed before the request is accepted', behaviour: refused('cut') },
  { digits: '018', meaning: 'a gateway in front of the provider answers 502', behaviour: refused('bad_gateway') },
  { digits: '019', meaning: 'paid after 2 s, but the answer is an HTML page', behaviour: { steps: [paid(2_000)], answer: 'html' } },
  { digits: '020', meaning: 'paid, and reversed by the provider after 50 s', behaviour: { steps: [paid(1_000)], reversedAfterMs: 50_000 } },
  { digits: '021', meaning: 'paid after 150 s', behaviour: { steps: [paid(150_000)] } },
  {
    digits: '022',
    meaning: 'a forged callback says paid after 1 s, and the prompt expires after 60 s',
    behaviour: { steps: [ends(60_000, 'expired')], forgedAfterMs: 1_000 },
  },
];

export const ANY_OTHER: Behaviour = { steps: [paid(5_000)] };
export const ANY_OTHER_MEANING = 'paid after 5 s';

const BY_DIGITS: ReadonlyMap<string, Behaviour> = new Map(NUMBERS.map(({ digits, behaviour }) => [digits, behaviour]));

/** Returns the behaviour of a mobile number in any format. */
export function behaviourOf(mobile: string): Behaviour {
  return BY_DIGITS.get(mobile.slice(-3)) ?? ANY_OTHER;
}

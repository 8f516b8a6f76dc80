/** What a simulated provider does with a payout: money that it sends from the account to a mobile number. */
export interface PayoutBehaviour {
  /** `refused`: a final refusal. `cut`: no answer, and the request is not recorded. */
  readonly refusal?: 'refused' | 'cut';
  /** `cut`: no answer to the recorded request. */
  readonly answer?: 'cut';
  /** How the payout ends; null if it stays in progress. */
  readonly ending: 'paid' | 'failed' | null;
  readonly afterMs: number;
  /** The number of callbacks, if the provider sends callbacks about payouts. */
  readonly callbacks: number;
}

interface PayoutNumber {
  /** The last three digits of the payee's number. */
  readonly digits: string;
  readonly meaning: string;
  readonly behaviour: PayoutBehaviour;
}

const ANY_OTHER: PayoutBehaviour = { ending: 'paid', afterMs: 0, callbacks: 1 };
export const ANY_OTHER_PAYOUT_MEANING = 'paid out at once';

/**
 * The behaviours by the last three digits of the payee's number. They are the same for all simulated providers. Payments from these numbers
 * succeed, so that they can be refunded.
 */
export const PAYOUT_NUMBERS: readonly PayoutNumber[] = [
  { digits: '007', meaning: 'paid out after 1 s, and no callback comes', behaviour: { ...ANY_OTHER, afterMs: 1_000, callbacks: 0 } },
  { digits: '008', meaning: 'paid out, and the callback comes twice', behaviour: { ...ANY_OTHER, callbacks: 2 } },
  { digits: '009', meaning: 'refused', behaviour: { refusal: 'refused', ending: null, afterMs: 0, callbacks: 0 } },
  { digits: '010', meaning: 'paid out, but the answer to the request is lost', behaviour: { ...ANY_OTHER, answer: 'cut' } },
  {
    digits: '011',
    meaning: 'the connection is closed before the request is accepted',
    behaviour: { refusal: 'cut', ending: null, afterMs: 0, callbacks: 0 },
  },
  { digits: '012', meaning: 'accepted, and stays in progress', behaviour: { ending: null, afterMs: 0, callbacks: 0 } },
  { digits: '023', meaning: 'accepted, and fails after 1 s', behaviour: { ending: 'failed', afterMs: 1_000, callbacks: 1 } },
];

/** Returns the behaviour of a payee's number in any format. */
export function payoutBehaviourOf(mobile: string): PayoutBehaviour {
  return PAYOUT_NUMBERS.find(({ digits }) => mobile.endsWith(digits))?.behaviour ?? ANY_OTHER;
}

/** A payout that a simulated provider has accepted. */
export interface SimulatedPayout {
  /** The client's reference. */
  readonly reference: string;
  /** The id that the simulated provider gave to the payout. */
  readonly id: string;
  /** The payee's number as the client sent it. */
  readonly mobile: string;
  /** Whole shillings. */
  readonly amount: number;
  /** The address of callbacks in the request; null if it contains none. */
  readonly callbackUrl: string | null;
  /** The body of the request as it was sent. */
  readonly text: string;
  readonly takenAt: number;
  readonly behaviour: PayoutBehaviour;
}

/** Creates the memory of the payouts that a simulated provider has accepted. @param delayFactor multiplies every delay. */
export function createPayouts({ now, delayFactor }: { readonly now: () => number; readonly delayFactor: number }) {
  const list: SimulatedPayout[] = [];
  return {
    list,
    record(payout: Omit<SimulatedPayout, 'takenAt'>): SimulatedPayout {
      const recorded = { ...payout, takenAt: now() };
      list.push(recorded);
      return recorded;
    },
    find: (matches: Partial<Pick<SimulatedPayout, 'reference' | 'id'>>): SimulatedPayout | undefined =>
      list.find(({ reference, id }) => reference === matches.reference || id === matches.id),
    /** Returns how a payout has ended; null while it is in progress. */
    endingOf: ({ behaviour, takenAt }: SimulatedPayout): 'paid' | 'failed' | null =>
      now() - takenAt >= behaviour.afterMs * delayFactor ? behaviour.ending : null,
  };
}

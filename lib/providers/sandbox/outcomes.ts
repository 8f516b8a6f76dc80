import type { PaymentScenario } from '@/lib/sandbox/scenarios';
import type { SandboxStatus } from './wire';

/** A change of the state of a simulated prompt, some time after its request. */
export interface Step {
  readonly afterMs: number;
  readonly status: SandboxStatus;
  /** Whether the simulated provider sends a callback about this change. If not, only a status query finds the new state. */
  readonly announced: boolean;
}

export interface SandboxBehaviour {
  /**
   * The answer to the request. `lost`: the provider accepts the request, but closes the connection. `after_callback`: the callback comes
   * before the answer. `unavailable`: the provider answers that it has not accepted the request.
   */
  readonly answer: 'accepted' | 'not_registered' | 'lost' | 'after_callback' | 'unavailable';
  readonly steps: readonly Step[];
  /** Whether only half of the amount is paid, rounded up. */
  readonly half?: boolean;
}

/** The highest amount that a simulated wallet sends at once, whole shillings: the limit of most customers of real wallets. */
export const WALLET_LIMIT_SHILLINGS = 3_000_000;

/** How long a customer can answer a simulated prompt, milliseconds. */
export const PROMPT_MS = 60_000;

const paid = (afterMs: number, announced = true): Step => ({ afterMs, status: 'PAID', announced });
const ends = (afterMs: number, status: SandboxStatus): Step => ({ afterMs, status, announced: true });

export const BEHAVIOURS: Readonly<Record<PaymentScenario, SandboxBehaviour>> = {
  paid: { answer: 'accepted', steps: [paid(1_000)] },
  declined: { answer: 'accepted', steps: [ends(2_000, 'DECLINED')] },
  'wrong-pin': { answer: 'accepted', steps: [ends(2_000, 'WRONG_PIN')] },
  'insufficient-funds': { answer: 'accepted', steps: [ends(2_000, 'INSUFFICIENT_BALANCE')] },
  'no-answer': { answer: 'accepted', steps: [ends(PROMPT_MS, 'EXPIRED')] },
  'not-registered': { answer: 'not_registered', steps: [] },
  'no-callback': { answer: 'accepted', steps: [paid(1_000, false)] },
  'two-callbacks': { answer: 'accepted', steps: [paid(1_000), paid(1_500)] },
  'part-paid': { answer: 'accepted', steps: [paid(1_000)], half: true },
  'answer-lost': { answer: 'lost', steps: [paid(2_000)] },
  'paid-late': { answer: 'accepted', steps: [ends(PROMPT_MS, 'EXPIRED'), paid(90_000)] },
  'early-callback': { answer: 'after_callback', steps: [paid(0)] },
  'provider-unavailable': { answer: 'unavailable', steps: [] },
  reversed: { answer: 'accepted', steps: [paid(1_000), ends(5_000, 'REVERSED')] },
};

/** The scenarios by the last three digits of the mobile number (docs/site/en/sandbox.md). Any other number pays after five seconds. */
export const BY_DIGITS: Readonly<Record<string, PaymentScenario>> = {
  '001': 'paid',
  '002': 'declined',
  '003': 'wrong-pin',
  '004': 'insufficient-funds',
  '005': 'no-answer',
  '006': 'not-registered',
  '007': 'no-callback',
  '008': 'two-callbacks',
  '009': 'part-paid',
  '010': 'answer-lost',
  '011': 'paid-late',
  '012': 'early-callback',
  '013': 'provider-unavailable',
};

const ANY_OTHER: SandboxBehaviour = { answer: 'accepted', steps: [paid(5_000)] };

/** The behaviour of a number whose test phone is shown on an open page. If nobody answers the prompt on that page, it expires. */
export const BY_PHONE: SandboxBehaviour = { answer: 'accepted', steps: [ends(PROMPT_MS, 'EXPIRED')] };

export function behaviourOf(mobile: string): SandboxBehaviour {
  const scenario = BY_DIGITS[mobile.slice(-3)];
  return scenario ? BEHAVIOURS[scenario] : ANY_OTHER;
}

import type { PaymentScenario } from '@/lib/providers/scenarios/scenarios';
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

/** What the simulated provider does with a reversal or a payout. */
export interface RefundBehaviour {
  /** The answer to the request. `lost`: the provider closes the connection after it has accepted the request. */
  readonly answer: 'accepted' | 'refused' | 'lost';
  /** When the refund ends; null if the provider does not accept it. */
  readonly afterMs: number | null;
  readonly succeeds: boolean;
  /** The number of callbacks about a reversal. There are no callbacks about payouts. */
  readonly callbacks: number;
}

const DONE_AT_ONCE: RefundBehaviour = { answer: 'accepted', afterMs: 0, succeeds: true, callbacks: 1 };

/** What happens to refunds, by the last three digits of the number that paid (docs/site/en/sandbox.md). Any other refund succeeds. */
const REFUNDS_BY_DIGITS: Readonly<Record<string, RefundBehaviour>> = {
  '007': { ...DONE_AT_ONCE, callbacks: 0 },
  '008': { ...DONE_AT_ONCE, callbacks: 2 },
  '009': { ...DONE_AT_ONCE, answer: 'refused', afterMs: null },
  '010': { ...DONE_AT_ONCE, answer: 'lost', callbacks: 0 },
  '011': { ...DONE_AT_ONCE, answer: 'lost', afterMs: null },
  '012': { ...DONE_AT_ONCE, afterMs: 60_000 },
  '023': { ...DONE_AT_ONCE, afterMs: 1_000, succeeds: false, callbacks: 0 },
};

export function refundBehaviourOf(mobile: string): RefundBehaviour {
  return REFUNDS_BY_DIGITS[mobile.slice(-3)] ?? DONE_AT_ONCE;
}

/** What the simulated provider does with a request to issue a payment instrument. */
interface IssueBehaviour {
  /**
   * `lost`: the provider issues it, but closes the connection. `not_issued`: it closes the connection without issuing anything.
   * `unavailable`: it answers that it has not accepted the request.
   */
  readonly answer: 'issued' | 'refused' | 'lost' | 'not_issued' | 'unavailable';
  readonly afterMs: number;
}

/** What happens to requests for instruments, by the amount in whole shillings (docs/site/en/sandbox.md). Any other amount works at once. */
const ISSUES_BY_AMOUNT: Readonly<Record<number, IssueBehaviour>> = {
  1006: { answer: 'refused', afterMs: 0 },
  1010: { answer: 'lost', afterMs: 0 },
  1011: { answer: 'not_issued', afterMs: 0 },
  1012: { answer: 'issued', afterMs: 4_000 },
  1013: { answer: 'unavailable', afterMs: 0 },
};

export function issueBehaviourOf(amount: number): IssueBehaviour {
  return ISSUES_BY_AMOUNT[amount] ?? { answer: 'issued', afterMs: 0 };
}

/** The highest amount of an order, whole shillings. A control number asks for higher amounts, which a customer pays in parts. */
export const ORDER_MAX_SHILLINGS = 1_000_000;

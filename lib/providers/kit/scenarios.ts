import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';

/** Everything that can happen to a payment request. Each provider either simulates a scenario, or says why it cannot. */
export const SCENARIOS = [
  'paid',
  'paid, and no callback comes',
  'paid, and the callback comes before the answer',
  'paid, and the callback comes twice',
  'partly paid',
  'cancelled',
  'wrong PIN',
  'insufficient balance',
  'insufficient balance, reported as an internal error',
  'limit exceeded',
  'number not registered',
  'the customer does not answer',
  'paid after it expired',
  'paid after nearly three minutes',
  'paid, and the answer is lost',
  'the request is lost',
  'a gateway error',
  'an answer that is not JSON',
  'rejected before it is recorded',
  'not found by the first status queries, then paid',
  'paid, then reversed',
] as const;
type Scenario = (typeof SCENARIOS)[number];

/** How a provider simulates a scenario, and what the adapter must report. */
export interface Simulation {
  /** The mobile number that triggers the scenario. */
  readonly mobile: string;
  /** The outcome of the answer to the request. */
  readonly answer: Partial<Outcome>;
  /** The outcomes of status queries, in this order. Other `pending`, `unknown` and `not_found` outcomes between them are ignored. */
  readonly found: readonly Partial<Outcome>[];
  /** The number of callbacks. */
  readonly callbacks: number;
}

/** For each scenario its simulation, or a sentence that says why the provider has none. `npm run docs` writes a table of all providers. */
export type Matrix = Readonly<Record<Scenario, Simulation | string>>;

/**
 * Creates a function that describes what an adapter must report for a number with given last digits. @param prefix the first digits of
 * the number.
 */
export function simulation(prefix: string) {
  return (digits: string, answer: Simulation['answer'], found: Simulation['found'], callbacks = 0): Simulation => ({
    mobile: `${prefix}${digits}`,
    answer,
    found,
    callbacks,
  });
}

export const ACCEPTED = { kind: 'accepted' } as const;
export const UNKNOWN = { kind: 'unknown' } as const;
const NOT_FOUND = { kind: 'not_found' } as const;
export const EXPIRED = { kind: 'expired' } as const;
export const failed = (reason: FailureReason) => ({ kind: 'failed', reason }) as const;

/** The amount of each payment request in senti. */
export const SCENARIO_AMOUNT = 500_100n;

interface Usual {
  /** The first digits of the mobile numbers. */
  readonly prefix: string;
  readonly paid: Partial<Outcome>;
  /** What the provider reports when the customer does not answer. */
  readonly unanswered?: Partial<Outcome>;
}

/** Returns the scenarios of a provider that reports every outcome and whose simulator has the numbers of `behaviours.ts`. */
export function usualScenarios({ prefix, paid, unanswered = EXPIRED }: Usual) {
  const simulate = simulation(prefix);
  return {
    paid: simulate('001', ACCEPTED, [paid], 1),
    'paid, and no callback comes': simulate('007', ACCEPTED, [paid]),
    'paid, and the callback comes before the answer': simulate('012', ACCEPTED, [paid], 1),
    'paid, and the callback comes twice': simulate('008', ACCEPTED, [paid], 2),
    'partly paid': 'A prompt moves the whole requested amount or nothing',
    cancelled: simulate('002', ACCEPTED, [failed('user_cancelled')], 1),
    'wrong PIN': simulate('003', ACCEPTED, [failed('wrong_pin')], 1),
    'insufficient balance': simulate('004', ACCEPTED, [failed('insufficient_funds')], 1),
    'insufficient balance, reported as an internal error': simulate('014', ACCEPTED, [failed('rejected')], 1),
    'limit exceeded': simulate('015', failed('limit_exceeded'), []),
    'number not registered': simulate('006', failed('mobile_not_registered'), []),
    'the customer does not answer': simulate('005', ACCEPTED, [unanswered], 1),
    'paid after it expired': simulate('011', ACCEPTED, [unanswered, paid], 2),
    'paid after nearly three minutes': simulate('021', ACCEPTED, [paid], 1),
    'paid, and the answer is lost': simulate('010', UNKNOWN, [paid], 1),
    'the request is lost': simulate('017', UNKNOWN, [NOT_FOUND]),
    'a gateway error': simulate('018', UNKNOWN, [NOT_FOUND]),
    'an answer that is not JSON': simulate('019', UNKNOWN, [paid], 1),
    'rejected before it is recorded': simulate('013', { kind: 'not_sent' }, [NOT_FOUND]),
    'not found by the first status queries, then paid': simulate('016', ACCEPTED, [NOT_FOUND, paid]),
    'paid, then reversed': simulate('020', ACCEPTED, [paid, { kind: 'reversed', amount: SCENARIO_AMOUNT }], 1),
  } satisfies Matrix;
}

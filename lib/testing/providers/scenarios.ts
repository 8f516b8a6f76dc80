import type { Outcome } from '@/lib/providers/port/outcome';

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
  /** The mobile number that makes the simulator do it. */
  readonly mobile: string;
  /** The outcome of the answer to the request. */
  readonly answer: Partial<Outcome>;
  /** The outcomes of status queries, in this order. Other `pending`, `unknown` and `not_found` outcomes between them are ignored. */
  readonly found: readonly Partial<Outcome>[];
  /** The number of callbacks. */
  readonly callbacks: number;
}

/** For each scenario its simulation, or a sentence that says why the provider has none. */
export type Matrix = Readonly<Record<Scenario, Simulation | string>>;

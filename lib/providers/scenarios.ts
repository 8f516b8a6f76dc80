import type { Outcome } from '@/lib/providers/port/outcome';

/** Everything that may become of a push. A provider either shows it, or says why it cannot. */
export const SCENARIOS = [
  'paid',
  'paid, and no callback comes',
  'paid, and the callback comes before the answer',
  'paid, and the callback comes twice',
  'paid in part',
  'cancelled',
  'wrong PIN',
  'not enough money',
  'not enough money, told as an internal error',
  'over a limit',
  'not a customer',
  'nobody answers the prompt',
  'paid after it expired',
  'paid after nearly three minutes',
  'paid, and the answer is lost',
  'lost on the way',
  'a broken gateway in between',
  'an answer that is no JSON',
  'turned away at the door',
  'unknown to status queries at first, then paid',
  'paid, then reversed',
] as const;
type Scenario = (typeof SCENARIOS)[number];

/** How a provider shows a scenario. */
export interface Shown {
  /** Whose number makes the provider do it. */
  readonly mobile: string;
  /** What the answer to the push means. */
  readonly answer: Partial<Outcome>;
  /** What status queries find, in this order; `pending` and `unknown` in between count only where they are named. */
  readonly found: readonly Partial<Outcome>[];
  /** How many callbacks come. */
  readonly callbacks: number;
}

/** By scenario: how it is shown, or a sentence why it cannot be. */
export type Matrix = Readonly<Record<Scenario, Shown | string>>;

import { fail, ok, type Result } from '@/lib/platform/core/result';

/** What the simulated customer and provider can do with a payment request. */
const PAYMENT_SCENARIOS = [
  'paid',
  'part-paid',
  'declined',
  'wrong-pin',
  'insufficient-funds',
  'not-registered',
  'no-answer',
  'paid-late',
  'no-callback',
  'two-callbacks',
  'early-callback',
  'answer-lost',
  'provider-unavailable',
  'reversed',
] as const;

export type PaymentScenario = (typeof PAYMENT_SCENARIOS)[number];

/** The scenarios in which the API refuses a request of the sandbox, each with the code of its answer. */
const REFUSAL_SCENARIOS = {
  'rate-limited': 'too_many_requests',
  unavailable: 'unavailable',
  suspended: 'profile_not_found',
} as const;

type RefusalScenario = keyof typeof REFUSAL_SCENARIOS;

/** All values of the header `Bili-Sandbox-Scenario`. */
export const SCENARIO_NAMES: readonly string[] = [...PAYMENT_SCENARIOS, ...Object.keys(REFUSAL_SCENARIOS)];

type SandboxScenario =
  | { readonly kind: 'payment'; readonly name: PaymentScenario }
  | { readonly kind: 'refusal'; readonly code: (typeof REFUSAL_SCENARIOS)[RefusalScenario] };

/** Reads the value of the header `Bili-Sandbox-Scenario`. Null if there is no header. */
export function readScenario(
  header: string | null,
): Result<SandboxScenario | null, { readonly code: 'scenario_unknown'; readonly detail: string }> {
  if (header === null) return ok(null);
  const name = header.trim();
  if (isPaymentScenario(name)) return ok({ kind: 'payment', name });
  if (isRefusalScenario(name)) return ok({ kind: 'refusal', code: REFUSAL_SCENARIOS[name] });
  return fail({ code: 'scenario_unknown', detail: SCENARIO_NAMES.join(', ') });
}

export function isPaymentScenario(text: string): text is PaymentScenario {
  const names: readonly string[] = PAYMENT_SCENARIOS;
  return names.includes(text);
}

function isRefusalScenario(text: string): text is RefusalScenario {
  return Object.hasOwn(REFUSAL_SCENARIOS, text);
}

/** The highest amount that a simulated wallet sends at once, whole shillings: the limit of most customers of real wallets. */
export const WALLET_LIMIT_SHILLINGS = 3_000_000;

/**
 * Returns how a payment of an instrument goes. The last digits of the number that pays mean the same as for prompts.
 * `callbacks`: how many callbacks report it. `late`: the payment was under way when the instrument ended or changed, so nothing stops it.
 */
export function paymentBehaviourOf(mobile: string | null): { readonly callbacks: number; readonly late: boolean } {
  const digits = mobile?.slice(-3);
  return { callbacks: digits === '007' ? 0 : digits === '008' ? 2 : 1, late: digits === '011' };
}

import type { FailureReason } from './outcome';

/** The first pattern that matches counts: "insufficient balance to complete within your limit" is about the balance. */
const PATTERNS: readonly (readonly [RegExp, FailureReason])[] = [
  [/insufficient|not enough|low balance/i, 'insufficient_funds'],
  [/\bpin\b/i, 'wrong_pin'],
  [/limit|exceed/i, 'limit_exceeded'],
  [/cancel|declin|refus|rejected by/i, 'user_cancelled'],
  [/not registered|no wallet|not found|invalid (msisdn|phone|number|customer)|barred/i, 'mobile_not_registered'],
  [/expire|timed?[ -]?out|no response/i, 'user_timeout'],
];

/**
 * Guesses the reason of a failure from a provider's text, for providers that document no codes. Call this only if it is certain that the
 * payment failed.
 */
export function reasonOfText(text: string | null | undefined): FailureReason {
  return PATTERNS.find(([pattern]) => pattern.test(text ?? ''))?.[1] ?? 'rejected';
}

const OPEN =
  /time(d)?[ -]?out|pending|process|progress|try again|internal|unavailable|unexpected|error occurred|went wrong|no response|not respond|connect|(system|server|application|network|gateway) error/i;

/**
 * Tells whether the text of a refusal leaves open whether the customer has the prompt, for providers that use one status or code for every
 * refusal.
 */
export function leavesOpen(text: string): boolean {
  return OPEN.test(text);
}

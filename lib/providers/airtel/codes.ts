import type { FailureReason } from '@/lib/providers/port/outcome';
import { reasonOfText } from '@/lib/providers/port/reason-of-text';

/** What a code means for the request that it answers. */
type Meaning =
  /** The money has moved. */
  | 'succeeded'
  /** The request was processed, or is still being processed. This code says nothing about the money. */
  | 'processed'
  /** Airtel already has a request with our reference. */
  | 'duplicate'
  | 'not_found'
  /** A final refusal. */
  | 'failed'
  /** Money may move or may have moved. */
  | 'unknown';

interface CodeEntry {
  readonly description: string;
  readonly meaning: Meaning;
  /** The reason of a payment that failed with this code; null if only the text of the answer can name the reason. */
  readonly reason: FailureReason | null;
}

const entry = (meaning: Meaning, description: string, reason: FailureReason | null = null): CodeEntry => ({ description, meaning, reason });
const failed = (reason: FailureReason | null, description: string) => entry('failed', description, reason);

/**
 * Codes of collections. Sources: the portal, and four independent clients, which agree. A portal of another country gives some of the
 * `DP008…` codes other meanings. So a code alone never decides whether a payment succeeded: in a status answer the status letters decide,
 * and a code that contradicts a final status makes the outcome unknown.
 */
const CODES: Readonly<Record<string, CodeEntry>> = {
  DP00800001000: entry('unknown', 'ambiguous, still processing'),
  DP00800001001: entry('succeeded', 'success'),
  DP00800001002: failed('wrong_pin', 'wrong PIN'),
  DP00800001003: failed('limit_exceeded', 'limit of the wallet exceeded'),
  DP00800001004: failed('amount_invalid', 'amount below the minimum, or invalid'),
  DP00800001005: failed(null, 'PIN not entered, number not found, or any other failure'),
  DP00800001006: entry('processed', 'in process; also comes with payments that have succeeded'),
  DP00800001007: failed('insufficient_funds', 'not enough balance'),
  DP00800001008: failed('rejected', 'refused'),
  DP00800001009: failed('rejected', 'do not honour'),
  DP00800001010: failed('merchant_config', 'payee barred or not registered'),
  DP00800001024: entry('unknown', 'timed out', 'user_timeout'),
  DP00800001025: entry('not_found', 'transaction not found'),
  DP00800001026: failed('merchant_config', 'the signature does not match'),
  DP00800001027: entry('processed', 'encryption key fetched'),
  DP00800001028: entry('unknown', 'encryption key not fetched'),
  DP00800001029: failed('user_timeout', 'expired'),
  ESB000001: entry('unknown', 'something went wrong'),
  ESB000004: entry('unknown', 'error while initiating the payment'),
  ESB000008: failed('rejected', 'validation of a field'),
  ESB000010: entry('processed', 'success of the request'),
  ESB000011: failed(null, 'failed'),
  ESB000014: entry('unknown', 'error while fetching the status'),
  ESB000033: failed('mobile_not_registered', 'invalid length of the number'),
  ESB000034: failed('merchant_config', 'invalid country'),
  ESB000035: failed('merchant_config', 'invalid currency'),
  ESB000036: failed('mobile_not_registered', 'the number has a wrong length or begins with 0'),
  ESB000039: failed('merchant_config', 'the merchant is not configured for the country'),
  ESB000041: entry('duplicate', 'our reference already exists'),
  ESB000045: entry('not_found', 'no transaction with this id'),
  ROUTER001: failed('merchant_config', 'the wallet is not configured'),
  ROUTER003: failed('merchant_config', 'a header or parameter is missing'),
  ROUTER005: failed('merchant_config', 'no route to the country'),
  ROUTER006: failed('merchant_config', 'invalid country'),
  ROUTER007: failed('merchant_config', 'not authorised for the country'),
  ROUTER112: failed('merchant_config', 'invalid currency'),
  ROUTER117: entry('unknown', 'time-out: ask for the status'),
  ROUTER119: failed('merchant_config', 'currency missing or invalid'),
  '0000900': entry('unknown', 'ambiguous'),
};

/** The meanings, the most uncertain first. If the codes of an answer have several meanings, the one that is first in this list counts. */
const PRECEDENCE: readonly Meaning[] = ['duplicate', 'unknown', 'not_found', 'failed', 'succeeded', 'processed'];

/** Returns the entries of the known codes. */
function entriesOf(codes: readonly string[]): readonly CodeEntry[] {
  return codes.flatMap((code) => CODES[code] ?? []);
}

/** Returns whether Bili knows the meaning of all these codes. */
export function allListed(codes: readonly string[]): boolean {
  return entriesOf(codes).length === codes.length;
}

/** Returns what the known codes of an answer mean together; null if none is known. */
export function meaningOf(codes: readonly string[]): Meaning | null {
  const meanings = entriesOf(codes).map(({ meaning }) => meaning);
  return PRECEDENCE.find((one) => meanings.includes(one)) ?? null;
}

/** Texts of a refusal that leave open whether the customer gets a prompt. */
const VAGUE =
  /^\W*((the )?(transaction|payment|request) )?((has |was )?(failed|failure|error|unsuccessful))?\W*$|time(d)?[ -]?out|pending|in pro(cess|gress)|try again|internal|unavailable/i;

/** Returns whether a refusal leaves open what happened: its codes stand for many failures, and its text names no cause. */
export function isVague(codes: readonly string[], message: string): boolean {
  if (/something went wrong/i.test(message)) return true;
  return entriesOf(codes).every(({ reason }) => reason === null) && VAGUE.test(message);
}

/** Returns why a payment failed. Call this only if it is certain that the payment failed. @param message Airtel's text. */
export function reasonOf(codes: readonly string[], message: string): FailureReason {
  const known = entriesOf(codes).find(({ reason }) => reason !== null)?.reason ?? null;
  if (known === 'rejected' && /cancelled|declined by (the )?(user|customer)/i.test(message)) return 'user_cancelled';
  if (known !== null) return known;
  // If no PIN was entered, the customer did not answer. `reasonOfText` would return "wrong_pin".
  return /pin (was )?not entered|(didn.t|did not) enter/i.test(message) ? 'user_timeout' : reasonOfText(message);
}

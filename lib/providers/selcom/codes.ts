import type { FailureReason } from '@/lib/providers/port/outcome';
import { reasonOfText } from '@/lib/providers/port/reason-of-text';
import { type Envelope, IN_PROGRESS, RESULT_CODES } from './wire';

/** Result codes that leave the result open, even if `result` says that the request failed. 999: ambiguous. Source: "Result codes". */
const OPEN: readonly string[] = [RESULT_CODES.success, ...IN_PROGRESS, '999', '408', '425', '429'];
/** HTTP statuses that leave the result open. */
const OPEN_STATUSES: readonly number[] = [408, 425, 429];

/** Texts of refusals that leave the result open: the wallet behind Selcom has not answered. */
const NO_ANSWER = /no response|time[d]?[ -]?out|upstream|ambig/i;
/** No source shows how Selcom refuses a second order with the same id, so every text and code that can mean "duplicate" counts. */
const DUPLICATE = /duplicat|\bunique\b|\b(order(_?id)?|transid|transaction)\b.*\b(already|used|taken|(?<!not )exists?)\b/i;
const CONFLICT = 409;

/**
 * Texts with which Selcom refuses the merchant, under several codes. "Not authorized" is left out, because a refusal by the customer may
 * contain it.
 */
const REFUSES_MERCHANT = /vendor|not enabled|signature|digest|timestamp|unauthori[sz]ed|forbidden|access denied|api key|ip address/i;

/**
 * Codes with one meaning. Sources: the tables of "Result codes" and of the C2B operations; 013 and 4035 were seen in live answers. The
 * code 403 is left out: it is the documented example of any failure, so the customer may be the cause. The HTTP status 403 means that
 * Selcom refuses the merchant.
 */
const REASONS: Readonly<Record<string, FailureReason>> = {
  '012': 'amount_invalid',
  '013': 'amount_invalid',
  '014': 'limit_exceeded',
  '015': 'amount_invalid',
  '401': 'merchant_config',
  '404': 'rejected',
  '990': 'merchant_config',
  '4035': 'merchant_config',
};

/** Returns why Selcom finally refuses a request; null if the answer is not a final refusal. Pure. */
export function refusalOf(status: number | null, { resultcode, result, message }: Envelope): FailureReason | 'duplicate' | null {
  if (status === null || status >= 500 || (status >= 300 && status < 400) || OPEN_STATUSES.includes(status)) return null;
  // Answers to invalid requests repeat the HTTP status as their `resultcode`. Some of these answers have no `result`.
  const fails = result ? /^fail(ed)?$/i.test(result) : status >= 400 && resultcode === String(status);
  const text = message ?? '';
  if (!fails || OPEN.includes(resultcode) || /^5\d\d$/.test(resultcode) || NO_ANSWER.test(text)) return null;
  if (status === CONFLICT || resultcode === String(CONFLICT) || DUPLICATE.test(text)) return 'duplicate';
  // A product that is not enabled, wrong credentials, or a caller whose address is not allowed.
  if (status === 401 || status === 403) return 'merchant_config';
  const reason = Object.hasOwn(REASONS, resultcode) ? REASONS[resultcode] : undefined;
  if (reason !== undefined) return reason;
  // 010: invalid reference or mobile number. 412: a parameter is invalid or missing.
  if ((resultcode === '010' || resultcode === '412') && /msisdn|phone|mobile/i.test(text)) return 'mobile_not_registered';
  if (resultcode === '412') return /amount/i.test(text) ? 'amount_invalid' : 'merchant_config';
  if (resultcode === '010') return 'rejected';
  return REFUSES_MERCHANT.test(text) ? 'merchant_config' : reasonOfText(text);
}

import { isRecord } from '@/lib/core/is-record';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { RawAnswer, RawCallback } from '@/lib/providers/port/port';
import { isSuccess, parseJson, refusesCredentials } from '@/lib/providers/port/raw-answer';
import { leavesOpen, reasonOfText } from '@/lib/providers/port/reason-of-text';
import { callbackSchema, problemSchema, pushAnswerSchema } from './wire';

const MAX_DEPTH = 6;
const ID_KEY = /^transaction_?id$/i;
/** Texts that can be shown and typed, and are not the empty value of a type (0, or a GUID of zeros). */
const ID_FORM = /^(?![0-]+$)[\w.:-]{1,100}$/;

const DUPLICATE = /duplicate|already/i;
/** Words for the merchant in a refusal. "Partner" is not among them, because it may mean the customer's network. */
const ABOUT_US = /\b(vendor|merchant|application)\b/i;

/** The failure reason for each member of a payment request that AzamPay may call invalid. */
const FIELD_REASONS: Readonly<Record<string, FailureReason>> = {
  amount: 'amount_invalid',
  accountnumber: 'mobile_not_registered',
  provider: 'merchant_config',
};

/** Tells whether AzamPay refused the token and did nothing else. Such an answer has `WWW-Authenticate: Bearer`, as RFC 6750 requires. */
export function refusesToken({ status, headers }: RawAnswer): boolean {
  return status === 401 && /^bearer\b/i.test(headers['www-authenticate'] ?? '');
}

/** Interprets the answer to a payment request. */
export function readPushAnswer(answer: RawAnswer): Outcome {
  if (refusesCredentials(answer)) return { kind: 'failed', reason: 'merchant_config' };
  if (answer.lost) return { kind: answer.lost };
  if (refusesToken(answer)) return { kind: 'not_sent' };
  const json = parseJson(answer.body);
  if (isSuccess(answer)) return readTaken(json);
  if (answer.status === 403) {
    const { success, message } = pushAnswerSchema.safeParse(json).data ?? {};
    return success === false && textOf(message) !== null ? { kind: 'failed', reason: 'merchant_config' } : { kind: 'unknown' };
  }
  const problem = answer.status === 400 ? problemSchema.safeParse(json).data : undefined;
  return problem ? readProblem(problem.errors) : { kind: 'unknown' };
}

/** Interprets an answer with HTTP status 2xx. Such an answer may still refuse the request. */
function readTaken(json: unknown): Outcome {
  const ids = new Set(findIds(json));
  const [id = null] = ids.size === 1 ? ids : [];
  // An answer with an id is accepted, even if it contradicts itself: the id allows a status query, which decides.
  if (id !== null) return { kind: 'accepted', providerReference: id };
  const { success, message } = pushAnswerSchema.safeParse(json).data ?? {};
  if (ids.size > 0 || typeof success !== 'boolean') return { kind: 'unknown' };
  if (success) return { kind: 'accepted', providerReference: null };
  const text = textOf(message);
  if (text === null || leavesOpen(text)) return { kind: 'unknown' };
  if (DUPLICATE.test(text)) return { kind: 'duplicate' };
  return { kind: 'failed', reason: ABOUT_US.test(text) ? 'merchant_config' : reasonOfText(text) };
}

function readProblem(errors: Readonly<Record<string, readonly string[]>>): Outcome {
  const entries = Object.entries(errors).map(([name, texts]) => [name.toLowerCase(), texts.join(' ')] as const);
  const [first] = entries;
  if (!first) return { kind: 'unknown' };
  if (entries.some(([, text]) => DUPLICATE.test(text))) return { kind: 'duplicate' };
  return { kind: 'failed', reason: FIELD_REASONS[first[0]] ?? 'rejected' };
}

/** Finds the ids at any depth. In production the id was sometimes nested, its name had other capital letters, or it was the text "null". */
function findIds(json: unknown, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(json)) return json.flatMap((one) => findIds(one, depth + 1));
  if (!isRecord(json)) return [];
  return Object.entries(json).flatMap(([name, value]) => {
    const id = ID_KEY.test(name) ? idOf(value) : null;
    return id === null ? findIds(value, depth + 1) : [id];
  });
}

/** Interprets a callback. In practice no callback is signed, so a callback only says which payment to query. */
export function readNotice({ body }: Pick<RawCallback, 'body'>) {
  const notice = callbackSchema.safeParse(parseJson(body)).data;
  return {
    reference: textOf(notice?.utilityref),
    providerReference: idOf(notice?.transid) ?? idOf(notice?.externalreference),
    claimsPaid: /^(success|completed)$/i.test(textOf(notice?.transactionstatus) ?? ''),
  };
}

function idOf(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? textOf(value) : null;
  return text !== null && ID_FORM.test(text) ? text : null;
}

export type Named = string | number | null | undefined;

/** Returns the value as text; null for an empty text, and for the text "null", which AzamPay has sent in production. */
export function textOf(value: Named): string | null {
  const text = String(value ?? '').trim();
  return text === '' || /^(null|undefined)$/i.test(text) ? null : text;
}

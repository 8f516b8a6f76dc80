import { z } from 'zod';
import { isRecord } from '@/lib/platform/core/is-record';
import type { Network } from '@/lib/platform/core/network';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, RawAnswer, RawCallback } from '@/lib/providers/port/port';
import { isSuccess, leavesOpen, parseJson, readAmount, reasonOfText, refusesCredentials } from '@/lib/providers/port/raw-answer';

// Source: the public AzamPay OpenAPI document (January 2026), and for the status query what integrations in production report.

/** A path on the authentication host. */
export const TOKEN_PATH = '/AppRegistration/GenerateToken';
/** A path on the checkout host. Payouts have another host and other paths (`payout-wire.ts`), which cannot report on payments of customers. */
export const CHECKOUT_PATH = '/azampay/mno/checkout';
export const STATUS_PATH = '/azam/v1/gettransactionstatus';

const PROVIDER_NAMES = ['Airtel', 'Tigo', 'Halopesa', 'Azampesa', 'Mpesa'];

/** What AzamPay calls a network in payment requests. */
export const PROVIDERS: Readonly<Partial<Record<Network, string>>> = {
  vodacom: 'Mpesa',
  yas: 'Tigo',
  airtel: 'Airtel',
  halotel: 'Halopesa',
};

/**
 * The names of a network in status queries, in the order in which they are tried. `airtel` is known to work. `azampesa` is known to work
 * for payments of M-Pesa that were requested under the name `azampesa`. All other names are guesses.
 */
export const OPERATORS: Readonly<Partial<Record<Network, readonly string[]>>> = {
  vodacom: ['azampesa', 'mpesa'],
  yas: ['tigo', 'yas'],
  airtel: ['airtel'],
  halotel: ['halopesa', 'halotel'],
};

const MAX_SHILLINGS = 5_000_000;
const ADDITIONAL_MAX_BYTES = 4_096;

export const pushRequestSchema = z.object({
  accountNumber: z.string().regex(/^(255|0)[67]\d{8}$/, 'must be a mobile number such as 2557XXXXXXXX'),
  /** AzamPay's OpenAPI document says that this is a number. AzamPay's production system also accepts a text. */
  amount: z
    .union([z.number(), z.string().regex(/^\d{1,9}$/, 'must be numeric')])
    .refine((amount) => Number.isInteger(Number(amount)) && Number(amount) > 0 && Number(amount) <= MAX_SHILLINGS, 'is out of range'),
  currency: z.literal('TZS'),
  externalId: z.string().min(1).max(128),
  /** Lower case is accepted, too. */
  provider: z
    .string()
    .refine((name) => PROVIDER_NAMES.some((known) => known.toLowerCase() === name.toLowerCase()), 'is not one of the providers'),
  additionalProperties: z
    .record(z.string(), z.unknown())
    .refine((more) => Buffer.byteLength(JSON.stringify(more)) <= ADDITIONAL_MAX_BYTES, 'is too long')
    .optional(),
});
export type PushRequest = z.infer<typeof pushRequestSchema>;

export const tokenRequestSchema = z.object({ appName: z.string(), clientId: z.string(), clientSecret: z.string() });

const expiry = z.string().max(100).nullish().catch(null);
export const tokenSchema = z.object({
  data: z.object({ accessToken: z.string().min(1).max(8_000), expire: expiry, expireAt: expiry }),
  success: z.boolean().nullish(),
});

const message = z.string().max(2_000).nullish().catch(null);

/** What an answer to a payment request says besides the id. */
const pushAnswerSchema = z.object({ success: z.boolean().nullish().catch(null), message });

/** The body of a refused payment request (RFC 7807). */
export const problemSchema = z.object({ errors: z.record(z.string().max(100), z.array(z.string().max(1_000))) });

const word = z.string().max(200);
const reported = z.union([z.string().max(100), z.number()]).nullish();
const statusSchema = z.object({
  /** Usually an object. In some answers, `data` is only the status, as text. */
  data: z
    .union([
      word.transform((status) => ({ status, pgReferenceId: null, reasonOfTransactionFailure: null, amount: null, currency: null })),
      z.object({
        status: word,
        pgReferenceId: reported,
        reasonOfTransactionFailure: message,
        /** Amount and currency are not documented. If an answer has them, they must agree with the request. */
        amount: reported,
        currency: reported,
      }),
    ])
    .nullish()
    .catch(null),
  success: z.boolean().nullish().catch(null),
  message,
  statusCode: z.union([z.number(), z.string().max(10)]).nullish(),
});

const named = z
  .union([z.string().max(200), z.number().transform(String)])
  .nullish()
  .catch(null);
/** A callback. In production, many members are missing that the OpenAPI document requires. */
const callbackSchema = z.object({
  transactionstatus: named,
  /** Our reference. */
  utilityref: named,
  transid: named,
  externalreference: named,
  /** Our reference and the id of a payout. */
  initiatorReferenceId: named,
  pgReferenceId: named,
});

const MAX_DEPTH = 6;
const ID_KEY = /^transaction_?id$/i;
/** Texts that can be shown and typed, and are not the empty value of a type (0, or a GUID of zeros). */
const ID_FORM = /^(?![0-]+$)[\w.:-]{1,100}$/;

export const DUPLICATE = /duplicate|already/i;
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

/** Interprets a callback. In practice no callback is signed, so a callback only says which payment or payout to query. */
export function readNotice({ body }: Pick<RawCallback, 'body'>) {
  const notice = callbackSchema.safeParse(parseJson(body)).data;
  return {
    reference: textOf(notice?.utilityref) ?? textOf(notice?.initiatorReferenceId),
    providerReference: idOf(notice?.transid) ?? idOf(notice?.externalreference) ?? idOf(notice?.pgReferenceId),
    claimsPaid: /^(success|completed)$/i.test(textOf(notice?.transactionstatus) ?? ''),
  };
}

export function idOf(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? textOf(value) : null;
  return text !== null && ID_FORM.test(text) ? text : null;
}

type Named = string | number | null | undefined;

/** Returns the value as text; null for an empty text, and for the text "null", which AzamPay has sent in production. */
export function textOf(value: Named): string | null {
  const text = String(value ?? '').trim();
  return text === '' || /^(null|undefined)$/i.test(text) ? null : text;
}

const NOT_FOUND = /transaction.{0,40}\b(not found|not exist)/i;
/** If a text says that one of these things is not found, AzamPay has found the transaction itself. */
const OTHER_FOUND = /account|number|subscriber|customer|wallet/i;
/** Causes of a failure that only the customer's network knows. */
const CAUSE = /insufficient|not enough|low balance|\bpin\b|cancel/i;

/** Interprets the answer to a status query. `success: false` does not mean that the payment failed. */
export function readStatusAnswer(answer: RawAnswer, prompt: PromptRequest): Outcome {
  if (answer.lost) return { kind: 'unknown' };
  if (isNotFound(answer)) return { kind: 'not_found' };
  const status = isSuccess(answer) ? statusSchema.safeParse(parseJson(answer.body)).data : undefined;
  const { providerReference } = prompt;
  if (!status?.data || providerReference === null || !isAbout(status.data, prompt)) return { kind: 'unknown' };
  const { data, success, message, statusCode } = status;
  const code = Number(statusCode ?? 200);
  switch (data.status.trim().toLowerCase()) {
    case 'success':
    case 'completed': {
      if (success !== true || !(code >= 200 && code < 300)) return { kind: 'unknown' };
      const assumed = textOf(data.amount) === null;
      return { kind: 'paid', transactionId: providerReference, amount: prompt.amount, ...(assumed && { assumed }) };
    }
    case 'pending':
    case 'processing':
    case 'in progress':
      return { kind: 'pending' };
    case 'reversed': {
      if (!(code < 500)) return { kind: 'unknown' };
      const assumed = textOf(data.amount) === null;
      const reversal = { reversed: null, reversalTransactionId: null, ...(assumed && { assumed }) };
      return { kind: 'reversed', transactionId: providerReference, amount: prompt.amount, ...reversal };
    }
    case 'failed':
    case 'failure':
      if (!(code < 500)) return { kind: 'unknown' };
      return readFailure(textOf(data.reasonOfTransactionFailure) ?? textOf(message));
    case 'expired':
      return code < 500 ? { kind: 'expired' } : { kind: 'unknown' };
    default:
      return { kind: 'unknown' };
  }
}

function readFailure(text: string | null): Outcome {
  return text !== null && isNotFoundText(text) ? { kind: 'not_found' } : { kind: 'failed', reason: reasonOfText(text) };
}

/** Tells whether the text of a failure only says that AzamPay has found no such transaction. */
export function isNotFoundText(text: string): boolean {
  return NOT_FOUND.test(text) && !OTHER_FOUND.test(text);
}

/**
 * Tells whether the answer to a status query says that the payment failed, with a cause that only the customer's network knows. Then
 * AzamPay has found the payment.
 */
export function namesCause(answer: RawAnswer): boolean {
  const { data } = statusSchema.safeParse(parseJson(answer.body)).data ?? {};
  return CAUSE.test(textOf(data?.reasonOfTransactionFailure) ?? '');
}

/** Tells whether a status can be about this request: its payment id, amount and currency are those of the request, or are missing. */
function isAbout(
  { pgReferenceId, amount, currency }: { readonly pgReferenceId?: Named; readonly amount?: Named; readonly currency?: Named },
  prompt: PromptRequest,
): boolean {
  const id = textOf(pgReferenceId);
  const sum = textOf(amount);
  return (
    (id === null || id.toLowerCase() === prompt.providerReference?.toLowerCase()) &&
    (sum === null || readAmount(sum) === prompt.amount) &&
    (textOf(currency) ?? 'TZS') === 'TZS'
  );
}

/** Tells whether a status query found no such payment. A query with another value of the parameter `operator` may find it. */
function isNotFound(answer: RawAnswer): boolean {
  if (answer.lost || !(isSuccess(answer) || answer.status === 400 || answer.status === 404)) return false;
  const { data, message } = statusSchema.safeParse(parseJson(answer.body)).data ?? {};
  return NOT_FOUND.test(data ? data.status : (message ?? ''));
}

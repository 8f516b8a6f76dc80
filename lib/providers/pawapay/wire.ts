import { createHash, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { z } from 'zod';
import { SECOND_MS } from '@/lib/platform/core/clock';
import type { Senti } from '@/lib/platform/core/money';
import type { Network } from '@/lib/platform/core/network';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { RawAnswer, RawCallback, RefundOutcome } from '@/lib/providers/port/port';
import { isSuccess, parseJson, readAmount } from '@/lib/providers/port/raw-answer';

// Source: the public OpenAPI document of pawaPay, version 2 of the API, and its page about failure codes. Amounts are text.

export const DEPOSITS_PATH = '/v2/deposits';
export const REFUNDS_PATH = '/v2/refunds';

/** The names of the wallets; null for networks that pawaPay does not reach. */
export const WALLETS = {
  vodacom: 'VODACOM_TZA',
  yas: 'TIGO_TZA',
  airtel: 'AIRTEL_TZA',
  halotel: 'HALOTEL_TZA',
  ttcl: null,
  other: null,
} as const satisfies Record<Network, string | null>;

const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i, 'must be a UUID of version 4');
const wholeAmount = z.string().regex(/^[1-9]\d{0,14}$/, 'must be a whole amount');

export const depositRequestSchema = z.strictObject({
  depositId: uuid,
  amount: wholeAmount,
  currency: z.literal('TZS'),
  payer: z.strictObject({
    type: z.literal('MMO'),
    accountDetails: z.strictObject({
      phoneNumber: z.string().regex(/^255[67]\d{8}$/),
      provider: z.enum(['VODACOM_TZA', 'TIGO_TZA', 'AIRTEL_TZA', 'HALOTEL_TZA']),
    }),
  }),
  clientReferenceId: z.string().min(1).max(50).optional(),
});
export type DepositRequest = z.infer<typeof depositRequestSchema>;

export const refundRequestSchema = z.strictObject({
  refundId: uuid,
  depositId: uuid,
  amount: wholeAmount,
  currency: z.literal('TZS'),
});
export type RefundRequest = z.infer<typeof refundRequestSchema>;

const text = z.string().max(1_000);
const failureSchema = z.object({ failureCode: z.string().max(100), failureMessage: text.nullish() });

/** The answer to a request for a deposit or a refund. An error may lack the id of the deposit or refund. */
const answerSchema = z.object({
  depositId: z.string().max(100).nullish(),
  refundId: z.string().max(100).nullish(),
  status: z.string().max(50).nullish(),
  failureReason: failureSchema.nullish(),
});

/** An error without a deposit, such as a wrong token. */
const errorSchema = z.object({ failureReason: failureSchema });

/** A text by the documentation. A number is read, too. */
const amount = z.union([z.string().max(30), z.number()]).nullish();

/** A deposit as status answers and callbacks show it. Members that the adapter does not read are left out. */
export const depositSchema = z.object({
  depositId: z.string().min(1).max(100),
  status: z.string().max(50),
  amount,
  currency: z.string().max(10).nullish(),
  clientReferenceId: z.string().max(100).nullish(),
  /** Without the payer's number, the rest of the message still counts. */
  payer: z
    .object({ accountDetails: z.object({ phoneNumber: z.string().max(30) }) })
    .nullish()
    .catch(null),
  failureReason: failureSchema.nullish(),
});
type PawapayDeposit = z.infer<typeof depositSchema>;

const refundSchema = z.object({
  refundId: z.string().min(1).max(100),
  status: z.string().max(50),
  amount,
  currency: z.string().max(10).nullish(),
  failureReason: failureSchema.nullish(),
});

/** A status answer. The outer status is about the search, not about the payment. */
const searchSchema = z.object({ status: z.string().max(50), data: z.unknown().optional() });

/**
 * Returns pawaPay's id of a request: a UUID of version 4 whose bits come from our reference. So after a crash, Bili can compute the id
 * again and query a request whose answer was lost.
 */
export function idOf(reference: string): string {
  const bytes = createHash('sha256').update(`pawapay:${reference}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * How much older or newer than our clock a signature may be. A longer time is not needed: pawaPay's signatures expire after a minute, and a
 * repeated callback has a new signature.
 */
const MAX_AGE_MS = 300 * SECOND_MS;
/** A signature must cover these components. Otherwise it would also be valid for another callback or address. */
const REQUIRED = ['@method', '@authority', '@path', 'content-digest'];
const INPUT = /^sig-pp=(\(((?:"[a-z@-]+"(?: |(?=\))))+)\)((?:;[a-z]+=(?:"[\x20\x21\x23-\x5b\x5d-\x7e]*"|\d{1,15}))+))$/;
const SIGNATURE = /^sig-pp=:([A-Za-z0-9+/]+={0,2}):$/;
const DIGEST = /^(sha-256|sha-512)=:([A-Za-z0-9+/]+={0,2}):$/;

/** Reads a public key for P-256: PEM, or the base64 text of its DER form. Returns null if it is no such key. */
export function readPublicKey(text: string): KeyObject | null {
  try {
    const key = text.includes('BEGIN')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null;
  } catch {
    return null;
  }
}

/** Returns whether a callback has a valid signature of RFC 9421 in the form that pawaPay uses, for this address. */
export function isSigned({ headers, body }: RawCallback, address: URL, key: KeyObject, now: Date): boolean {
  const [, parameters = '', covered = '', rest = ''] = INPUT.exec(headers['signature-input'] ?? '') ?? [];
  const components = covered.split(' ').map((component) => component.slice(1, -1));
  const [, signature = ''] = SIGNATURE.exec(headers.signature ?? '') ?? [];
  if (!REQUIRED.every((component) => components.includes(component))) return false;
  if (/;alg="([^"]*)"/.exec(rest)?.[1] !== 'ecdsa-p256-sha256' || !isRecent(rest, now)) return false;
  if (!fitsDigest(headers['content-digest'] ?? '', body)) return false;
  const lines = [];
  for (const component of components) {
    const value = componentValue(component, headers, address);
    if (value === undefined) return false;
    lines.push(`"${component}": ${value}`);
  }
  const base = Buffer.from([...lines, `"@signature-params": ${parameters}`].join('\n'));
  const bytes = Buffer.from(signature, 'base64');
  // RFC 9421 asks for the 64 bytes of r and s. The samples of pawaPay have the DER form.
  return verify('sha256', base, { key, dsaEncoding: bytes.length === 64 ? 'ieee-p1363' : 'der' }, bytes);
}

function componentValue(component: string, headers: RawCallback['headers'], address: URL): string | undefined {
  switch (component) {
    case '@method':
      return 'POST';
    case '@authority':
      return address.host;
    case '@path':
      return address.pathname;
    default:
      // The sender of a callback chooses the component names, so a name can be a member of Object.prototype.
      return Object.hasOwn(headers, component) ? headers[component]?.trim() : undefined;
  }
}

function isRecent(parameters: string, now: Date): boolean {
  const created = Number(/;created=(\d+)/.exec(parameters)?.[1]);
  return Math.abs(now.getTime() - created * SECOND_MS) <= MAX_AGE_MS;
}

function fitsDigest(header: string, body: Uint8Array): boolean {
  const [, algorithm = '', given = ''] = DIGEST.exec(header) ?? [];
  if (algorithm === '') return false;
  const expected = createHash(algorithm.replace('-', '')).update(body).digest();
  const bytes = Buffer.from(given, 'base64');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** Codes with which pawaPay refuses a request before it does anything. Source: docs.pawapay.io, "Failure codes". */
const REFUSALS: Readonly<Record<string, FailureReason>> = {
  NO_AUTHENTICATION: 'merchant_config',
  AUTHENTICATION_ERROR: 'merchant_config',
  AUTHORISATION_ERROR: 'merchant_config',
  HTTP_SIGNATURE_ERROR: 'merchant_config',
  DEPOSITS_NOT_ALLOWED: 'merchant_config',
  REFUNDS_NOT_ALLOWED: 'merchant_config',
  INVALID_INPUT: 'rejected',
  MISSING_PARAMETER: 'rejected',
  UNSUPPORTED_PARAMETER: 'rejected',
  INVALID_PARAMETER: 'rejected',
  INVALID_CURRENCY: 'rejected',
  INVALID_PROVIDER: 'rejected',
  DUPLICATE_METADATA_FIELD: 'rejected',
  AMOUNT_OUT_OF_BOUNDS: 'amount_invalid',
  INVALID_AMOUNT: 'amount_invalid',
  INVALID_PHONE_NUMBER: 'mobile_not_registered',
  NOT_FOUND: 'rejected',
  INVALID_STATE: 'rejected',
  ALREADY_REFUNDED: 'rejected',
  REFUND_IN_PROGRESS: 'rejected',
  AMOUNT_TOO_LARGE: 'amount_invalid',
  PROVIDER_TEMPORARILY_UNAVAILABLE: 'provider_unavailable',
};

/** Codes of deposits that have failed. Any other code is a failure without a known reason. */
const FAILURES: Readonly<Record<string, FailureReason>> = {
  PAYMENT_NOT_APPROVED: 'user_cancelled',
  MANUALLY_CANCELLED: 'user_cancelled',
  INSUFFICIENT_BALANCE: 'insufficient_funds',
  PAYER_NOT_FOUND: 'mobile_not_registered',
  PAYER_LIMIT_REACHED: 'limit_exceeded',
  WALLET_LIMIT_REACHED: 'limit_exceeded',
  PAYMENT_IN_PROGRESS: 'rejected',
};

/** The statuses of a deposit or refund that is not final yet. */
const OPEN = ['ACCEPTED', 'SUBMITTED', 'PROCESSING', 'ENQUEUED', 'IN_RECONCILIATION'];

/** Interprets the answer to a request for a deposit. */
export function readDepositAnswer(answer: RawAnswer, depositId: string): Outcome {
  const read = readAnswer(answer, ({ depositId: id }) => id, depositId);
  return read.kind === 'accepted' ? { kind: 'accepted', providerReference: depositId } : read;
}

type Answered = Extract<Outcome, { readonly kind: 'not_sent' | 'unknown' | 'duplicate' | 'failed' }> | { readonly kind: 'accepted' };

function readAnswer(answer: RawAnswer, idOfAnswer: (read: z.infer<typeof answerSchema>) => unknown, id: string): Answered {
  if (answer.lost) return { kind: answer.lost };
  if (answer.status === 429) return { kind: 'not_sent' };
  const json = parseJson(answer.body);
  const failed = errorSchema.safeParse(json).data;
  // A time-out or an error of the server leaves open whether the request is processed.
  if ((answer.status ?? 500) >= 500 || answer.status === 408) return { kind: 'unknown' };
  const read = answerSchema.safeParse(json).data;
  if (!isSuccess(answer)) {
    const isRefusal = read && (read.status ?? 'REJECTED') === 'REJECTED' && (idOfAnswer(read) ?? id) === id;
    return failed && isRefusal ? refusalOf(failed.failureReason.failureCode) : { kind: 'unknown' };
  }
  if (!read || idOfAnswer(read) !== id) return { kind: 'unknown' };
  if (read.status === 'ACCEPTED' && !failed) return { kind: 'accepted' };
  if (read.status === 'DUPLICATE_IGNORED') return { kind: 'duplicate' };
  return read.status === 'REJECTED' && failed ? refusalOf(failed.failureReason.failureCode) : { kind: 'unknown' };
}

function refusalOf(code: string): Answered {
  const reason = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
  return reason ? { kind: 'failed', reason } : { kind: 'unknown' };
}

/** Interprets the answer to a status query. */
export function readDepositStatus(answer: RawAnswer, depositId: string): Outcome {
  const found = readSearch(answer);
  if (found === 'not_found') return { kind: 'not_found' };
  const deposit = depositSchema.safeParse(found).data;
  return deposit?.depositId === depositId ? outcomeOf(deposit) : { kind: 'unknown' };
}

/** Returns the deposit or refund that a status query has found, or "not_found"; undefined if the answer is unusable. */
function readSearch(answer: RawAnswer): unknown {
  const search = !answer.lost && isSuccess(answer) ? searchSchema.safeParse(parseJson(answer.body)).data : undefined;
  if (search?.status === 'NOT_FOUND' && search.data == null) return 'not_found';
  return search?.status === 'FOUND' ? search.data : undefined;
}

/** Returns the outcome that the state of a deposit reports. The receipt number is the deposit's id, because every message has it. */
export function outcomeOf(deposit: PawapayDeposit): Outcome {
  if (OPEN.includes(deposit.status)) return { kind: 'pending' };
  if (deposit.status === 'COMPLETED') {
    const amount = amountOf(deposit);
    return amount === null || deposit.failureReason ? { kind: 'unknown' } : { kind: 'paid', transactionId: deposit.depositId, amount };
  }
  if (deposit.status !== 'FAILED') return { kind: 'unknown' };
  const code = deposit.failureReason?.failureCode ?? '';
  return { kind: 'failed', reason: (Object.hasOwn(FAILURES, code) ? FAILURES[code] : undefined) ?? 'rejected' };
}

/** Interprets the answer to a request for a refund. */
export function readRefundAnswer(answer: RawAnswer, refundId: string): RefundOutcome {
  const read = readAnswer(answer, ({ refundId: id }) => id, refundId);
  if (read.kind === 'accepted') return { kind: 'pending' };
  return read.kind === 'duplicate' ? { kind: 'unknown' } : read;
}

/** Interprets the answer to a status query about a refund. A refund that pawaPay does not know has not moved money so far. */
export function readRefundStatus(answer: RawAnswer, refundId: string): RefundOutcome {
  const found = readSearch(answer);
  if (found === 'not_found') return { kind: 'pending' };
  const refund = refundSchema.safeParse(found).data;
  if (refund?.refundId !== refundId) return { kind: 'unknown' };
  if (OPEN.includes(refund.status)) return { kind: 'pending' };
  if (refund.status === 'FAILED') return { kind: 'failed', reason: 'rejected' };
  const amount = amountOf(refund);
  if (refund.status !== 'COMPLETED' || amount === null || refund.failureReason) return { kind: 'unknown' };
  return { kind: 'refunded', transactionId: refund.refundId, amount };
}

/** Returns senti; null if the amount is unreadable, not whole or not in shillings. */
function amountOf({ amount, currency }: Pick<PawapayDeposit, 'amount' | 'currency'>): Senti | null {
  return currency === 'TZS' ? readAmount(amount) : null;
}

import { constants, createHash, type KeyObject, privateDecrypt, publicEncrypt } from 'node:crypto';
import { z } from 'zod';
import type { Network } from '@/lib/platform/core/network';
import type { RawAnswer, Refund, RefundOutcome } from '@/lib/providers/port/port';
import { isSuccess, leavesOpen, parseJson, readAmount, reasonOfText, refusesCredentials } from '@/lib/providers/port/raw-answer';
import { DUPLICATE, idOf, isNotFoundText, problemSchema, refusesToken, textOf } from './wire';

// Source: the public AzamPay OpenAPI document, and what two integrations with payouts report. Nothing of it was tried against AzamPay.

/** Paths on the host of payouts. */
export const DISBURSE_PATH = '/api/v1/azampay/disburse';
export const PAYOUT_STATUS_PATH = '/api/v1/azampay/transactionstatus';

/** What AzamPay calls a network in payouts. */
export const BANKS: Readonly<Partial<Record<Network, string>>> = { vodacom: 'Vodacom', yas: 'Yas', airtel: 'Airtel', halotel: 'Halotel' };

const party = z.object({
  countryCode: z.literal('TZ'),
  fullName: z.string().min(1),
  bankName: z.string().min(1),
  accountNumber: z.string().min(1),
  currency: z.literal('TZS'),
});
export const disburseSchema = z.object({
  source: party,
  destination: party.extend({ accountNumber: z.string().regex(/^255[67]\d{8}$/) }),
  /** The time is in seconds. */
  transferDetails: z.object({ type: z.literal('FUND'), amount: z.int().positive(), dateInEpoch: z.int().positive() }),
  externalReferenceId: z.string().regex(/^[\w.-]{1,30}$/),
});
export type DisburseRequest = z.infer<typeof disburseSchema>;

/** Returns the SHA-512 hash that the checksum of a payout contains. */
function digestOf({ source, destination, transferDetails, externalReferenceId }: DisburseRequest): Buffer {
  const { amount, dateInEpoch } = transferDetails;
  const text = `${source.accountNumber}${destination.accountNumber}${source.currency}${amount}${dateInEpoch}${externalReferenceId}`;
  return createHash('sha512').update(text).digest();
}

/** Computes the checksum of a payout: its hash, encrypted with AzamPay's RSA key. PKCS#1 padding is random, so no checksum equals another. */
export function checksumOf(request: DisburseRequest, key: KeyObject): string {
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, digestOf(request)).toString('base64');
}

/** Returns whether a checksum belongs to a payout, for the simulator. */
export function isChecksumOf(checksum: unknown, request: DisburseRequest, key: KeyObject): boolean {
  if (typeof checksum !== 'string') return false;
  try {
    return privateDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(checksum, 'base64')).equals(digestOf(request));
  } catch {
    return false;
  }
}

const text = z.string().max(2_000).nullish().catch(null);
const named = z
  .union([z.string().max(200), z.number()])
  .nullish()
  .catch(null);
const code = z
  .union([z.number(), z.string().max(10)])
  .nullish()
  .catch(null);

const answerSchema = z.object({ pgReferenceId: named, success: z.boolean().nullish().catch(null), statusCode: code, message: text });

/** Sources disagree on the member with the state: it is `status`, or `data` as a text, or `status` of the object `data`. */
const stateSchema = z.object({ status: text, pgReferenceId: named, initiatorReferenceId: named, amount: named });
const statusSchema = stateSchema.extend({
  success: z.boolean().nullish().catch(null),
  statusCode: code,
  message: text,
  data: z
    .union([
      z
        .string()
        .max(200)
        .transform((status) => ({ status, pgReferenceId: null, initiatorReferenceId: null, amount: null })),
      stateSchema,
    ])
    .nullish()
    .catch(null),
});

/** Interprets the answer to a request for a payout. An accepted payout is not paid: a status query decides. */
export function readPayoutAnswer(answer: RawAnswer): RefundOutcome {
  if (refusesCredentials(answer)) return { kind: 'failed', reason: 'merchant_config' };
  if (answer.lost) return { kind: answer.lost };
  const json = parseJson(answer.body);
  const { pgReferenceId, success, statusCode, message } = answerSchema.safeParse(json).data ?? {};
  const id = idOf(pgReferenceId);
  if (id !== null && (isSuccess(answer) || success === true)) return { kind: 'pending', providerReference: id };
  // The token was new, so AzamPay refuses the app.
  if (refusesToken(answer) || (answer.status === 401 && /valid authorization/i.test(message ?? '')))
    return { kind: 'failed', reason: 'merchant_config' };
  if (id !== null || success === true) return { kind: 'unknown' };
  const problem = answer.status === 400 ? problemSchema.safeParse(json).data : undefined;
  const reason = problem ? Object.values(problem.errors).flat().join('; ') : success === false ? textOf(message) : null;
  if (reason === null || reason === '' || DUPLICATE.test(reason) || leavesOpen(reason)) return { kind: 'unknown' };
  // A refusal may have HTTP 200, with the status of an error in its body.
  switch (isSuccess(answer) ? Number(statusCode) : answer.status) {
    case 400:
      return { kind: 'failed', reason: reasonOfText(reason) };
    // The request has expired: the clock of this machine is wrong.
    case 402:
    // HTTP 403 also means that the reference was used. Such a refusal is above: it decides nothing.
    case 403:
      return { kind: 'failed', reason: 'merchant_config' };
    default:
      return { kind: 'unknown' };
  }
}

/** Texts of a payout that has not ended. */
const IN_PROGRESS = /\bin (process|progress)\b|pending/i;

/** Interprets the answer to a status query about a payout. `success` only says that the query worked. */
export function readPayoutStatus(answer: RawAnswer, refund: Refund): RefundOutcome {
  const found = !answer.lost && isSuccess(answer) ? statusSchema.safeParse(parseJson(answer.body)).data : undefined;
  if (!found || refund.providerReference === null) return { kind: 'unknown' };
  const { success, statusCode, message, data, ...top } = found;
  const code = Number(statusCode ?? 200);
  const states = [top, ...(data ? [data] : [])];
  if (!states.every((state) => isAbout(state, refund))) return { kind: 'unknown' };
  const words = new Set(states.flatMap(({ status }) => textOf(status)?.toLowerCase() ?? []));
  const [word, ...others] = words;
  // Two states contradict each other. With the code of an error, a state may be that of the query.
  if (others.length > 0 || !(code >= 200 && code < 300)) return { kind: 'unknown' };
  const reason = textOf(message);
  switch (word) {
    case 'success':
    case 'completed':
    case 'complete': {
      // A "success" of the query is not one of the payout.
      if (success !== true || IN_PROGRESS.test(reason ?? '')) return { kind: 'unknown' };
      const hasAmount = states.some(({ amount }) => textOf(amount) !== null);
      return { kind: 'refunded', transactionId: refund.providerReference, amount: hasAmount ? refund.amount : null };
    }
    case 'pending':
    case 'processing':
    case 'in progress':
      return { kind: 'pending' };
    case 'failure':
    case 'failed':
    case 'fail': {
      // Without an id, a query that failed looks the same.
      const isNamed = states.some(({ pgReferenceId, initiatorReferenceId }) => textOf(pgReferenceId) ?? textOf(initiatorReferenceId));
      const isOpen = reason !== null && (isNotFoundText(reason) || leavesOpen(reason));
      return (success === true || isNamed) && !isOpen ? { kind: 'failed', reason: reasonOfText(reason) } : { kind: 'unknown' };
    }
    default:
      return { kind: 'unknown' };
  }
}

/** Tells whether a state can be about this payout: its ids and its amount are those of the request, or are missing. */
function isAbout({ pgReferenceId, initiatorReferenceId, amount }: z.infer<typeof stateSchema>, refund: Refund): boolean {
  const theirs = textOf(pgReferenceId);
  const ours = textOf(initiatorReferenceId);
  const sum = textOf(amount);
  return (
    (theirs === null || theirs.toLowerCase() === refund.providerReference?.toLowerCase()) &&
    (ours === null || ours === refund.reference) &&
    (sum === null || readAmount(sum) === refund.amount)
  );
}

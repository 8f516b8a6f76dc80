import { hash } from 'node:crypto';
import { createdBillJson } from '@/lib/bills/bill-json';
import { type Bill, unpaidBill } from '@/lib/bills/rules';
import { createdBillSchema } from '@/lib/bills/schema';
import { addMs, DAY_MS } from '@/lib/core/clock';
import type { Failure } from '@/lib/core/failure';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { findRemembered } from './idempotency-store';

/** How long the answer to an Idempotency-Key is kept. */
const KEPT_MS = DAY_MS;

/** What a replay reads from a kept answer. The rest of the bill is as the request asks, or it is a different request. */
const keptAnswerSchema = createdBillSchema.pick({ id: true, date: true }).strip();

/** The failure codes of creating a bill. */
export const CREATE_FAILURES = [
  'reference_used',
  'idempotency_key_reused',
  'idempotency_key_running',
  'key_bill_limit',
  'key_day_limit',
] as const;
export type CreateFailure = Failure<(typeof CREATE_FAILURES)[number]>;

export interface CreatedBill {
  /** The bill as it was when it was created. */
  readonly bill: Bill;
  /** Whether an earlier request with the same Idempotency-Key created it. */
  readonly replayed: boolean;
  /** The API's answer that is kept with the Idempotency-Key; null without a key. A replay repeats it byte for byte. */
  readonly keptAnswer: string | null;
  /** Our reference of its prompt, if this request made one. */
  readonly ourReference: string | null;
}

interface KeptAnswer {
  readonly key: string;
  readonly requestHash: Uint8Array;
  readonly response: string;
  readonly expiresAt: Date;
}

/**
 * @returns what is kept with an Idempotency-Key. It is text: the base address may change before a replay, and the answer must not.
 * @param base the base address of the bill's environment.
 */
export function keepAnswer(key: string, bill: Bill, base: URL): KeptAnswer {
  return { key, requestHash: fingerprint(bill), response: createdBillJson(bill, base), expiresAt: addMs(bill.createdAt, KEPT_MS) };
}

/** @returns the bill of the first request with an Idempotency-Key; undefined if there was none. @param asked the bill of this request. */
export async function recall(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  asked: Bill,
  { key, requestHash }: KeptAnswer,
): Promise<Result<CreatedBill, CreateFailure> | undefined> {
  const kept = await findRemembered(db, asked, key, clock());
  if (!kept) return undefined;
  if (Buffer.compare(kept.requestHash, requestHash) !== 0) return fail({ code: 'idempotency_key_reused' });
  const { id, date } = keptAnswerSchema.parse(JSON.parse(kept.response));
  const { merchantId, environment } = asked;
  const bill = unpaidBill(asked, { id, merchantId, environment, createdAt: new Date(date) });
  return ok({ bill, replayed: true, keptAnswer: kept.response, ourReference: null });
}

/** Two requests are the same when they ask for the same amount, reference and mobile, however they wrote them. */
function fingerprint({ amount, reference, mobile }: Bill): Uint8Array {
  return hash('sha256', JSON.stringify([amount.toString(), reference, mobile]), 'buffer');
}

import { hash } from 'node:crypto';
import { createdBillSchema } from '@/lib/bills/answer-schema';
import { createdBillJson } from '@/lib/bills/bill-json';
import { type Bill, unpaidBill } from '@/lib/bills/rules';
import { addMs, DAY_MS } from '@/lib/core/clock';
import type { Failure } from '@/lib/core/failure';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { findStoredAnswer } from './idempotency-store';

/** How long the answer to an Idempotency-Key is stored. */
const RETENTION_MS = DAY_MS;

/**
 * The fields of a bill that are read from the stored answer. All other fields follow from the repeated request, because a repetition has
 * the same amount, reference and mobile number.
 */
const storedAnswerSchema = createdBillSchema.pick({ id: true, date: true }).strip();

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
  /** Whether an earlier request with the same Idempotency-Key created the bill. */
  readonly replayed: boolean;
  /** The answer that is stored with the Idempotency-Key, or null without a key. A replay repeats it byte for byte. */
  readonly storedAnswer: string | null;
  /** Our reference of the attempt, if this request created one. */
  readonly ourReference: string | null;
}

interface StoredAnswer {
  readonly key: string;
  readonly requestHash: Uint8Array;
  readonly response: string;
  readonly expiresAt: Date;
}

/**
 * Returns the row to store with an Idempotency-Key. The answer is stored as text, because the base address may change before a replay but
 * the answer must not. `base` is the base address of the bill's environment.
 */
export function makeStoredAnswer(key: string, bill: Bill, base: URL): StoredAnswer {
  return { key, requestHash: fingerprint(bill), response: createdBillJson(bill, base), expiresAt: addMs(bill.createdAt, RETENTION_MS) };
}

/** Returns the result of the first request with an Idempotency-Key, or undefined if there was none. `asked` is the bill of this request. */
export async function findReplay(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  asked: Bill,
  { key, requestHash }: StoredAnswer,
): Promise<Result<CreatedBill, CreateFailure> | undefined> {
  const stored = await findStoredAnswer(db, asked, key, clock());
  if (!stored) return undefined;
  if (Buffer.compare(stored.requestHash, requestHash) !== 0) return fail({ code: 'idempotency_key_reused' });
  const { id, date } = storedAnswerSchema.parse(JSON.parse(stored.response));
  const { merchantId, environment } = asked;
  const bill = unpaidBill(asked, { id, merchantId, environment, createdAt: new Date(date) });
  return ok({ bill, replayed: true, storedAnswer: stored.response, ourReference: null });
}

/** Returns a hash of amount, reference and mobile. Requests that write the same values differently count as the same request. */
function fingerprint({ amount, reference, mobile }: Bill): Uint8Array {
  return hash('sha256', JSON.stringify([amount.toString(), reference, mobile]), 'buffer');
}

import { createHash } from 'node:crypto';
import { isClosed, payableAmount } from '@/lib/gateway/bills/rules';
import { findBillOf } from '@/lib/gateway/bills/store';
import { type Access, type AccessRefusal, authorize, type KeyAccess } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { findProfile } from '@/lib/identity/merchants/profile-store';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { isUuid, newId } from '@/lib/platform/core/ids';
import { parseDay, parseInstant } from '@/lib/platform/core/instant';
import { SENTI_PER_SHILLING, type Senti } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Scope } from '@/lib/platform/core/scope';
import { oneLine, REASON_MAX } from '@/lib/platform/core/text';
import type { Queryable } from '@/lib/platform/db/database';
import { postgresError } from '@/lib/platform/db/errors';
import { payment, paymentRecord } from '@/lib/platform/db/generated/tables';
import { int4, pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findHandAccount } from '@/lib/providers/accounts/account-store';
import { type Bookings, withBills } from './bookings';
import { type CorrectionRefusal, correctPayment } from './correct-payment';
import { findPaymentById, insertAllocations } from './payment-store';
import { type HandSource, SLIP_MAX } from './rules';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>;

/** Maximum age of money that somebody records. */
const AGE_MAX_MS = 366 * DAY_MS;

export interface RecordPaymentOptions {
  readonly billId: string;
  /** Senti. */
  readonly amount: Senti;
  readonly source: HandSource;
  /** When the person received the money: a day such as `2026-11-20`, or an instant in ISO 8601. Empty for now. */
  readonly receivedAt: string;
  /** The number of the slip, as it was entered. Empty for none. A merchant may use a number once. */
  readonly slip: string;
  /** A note for the history of the bill, as it was entered. Empty for none. */
  readonly note: string;
  /** Whether the amount may be more than what is left of the bill. */
  readonly overpay: boolean;
  /** A repetition with the same key records nothing, and returns the same payment. */
  readonly requestKey: string;
  /** Whether a person takes the money at the counter. Cashiers record money only there. */
  readonly atCounter?: boolean;
  /** Called in the transaction that books the payment, before it. If it throws, nothing is recorded. A repetition does not call it. */
  readonly before?: (tx: Queryable) => Promise<void>;
}

export type RecordRefusal =
  | { readonly code: AccessRefusal | 'bill_not_found' | 'amount_invalid' | 'received_at_invalid' | 'slip_too_long' | 'note_too_long' }
  /** The merchant has already recorded a payment with this slip. `idempotency_key_reused`: the key was used for another payment. */
  | { readonly code: 'slip_used' | 'idempotency_key_reused' }
  /** The customer may still approve a payment request of `reserved` senti. Without it, `left` senti are left. */
  | { readonly code: 'prompt_open'; readonly left: Senti; readonly reserved: Senti }
  /** The amount is more than the `left` senti of the bill, and the caller has not confirmed that. */
  | { readonly code: 'more_than_due'; readonly left: Senti };

interface Recorded {
  readonly paymentId: string;
  /** Whether an earlier request with the same key recorded the payment. */
  readonly replayed: boolean;
}

/**
 * Records money that a person received for a bill, and allocates it to the bill, also if the bill is closed. Only a correction changes such
 * a payment. Refused if the amount is more than what no open payment request reserves: the customer would pay twice.
 */
export async function recordPayment(
  runtime: Needs,
  access: Access | KeyAccess,
  { billId, requestKey, atCounter = false, before, ...entered }: RecordPaymentOptions,
): Promise<Result<Recorded, RecordRefusal>> {
  const { amount, source } = entered;
  const refusal = await refuseToRecord(runtime, access, { source, atCounter });
  if (refusal) return fail({ code: refusal });
  const slip = oneLine(entered.slip).toUpperCase();
  const note = oneLine(entered.note);
  if (amount <= 0n || amount > BigInt(runtime.settings.MAX_BILL_AMOUNT) * SENTI_PER_SHILLING) return fail({ code: 'amount_invalid' });
  if (slip.length > SLIP_MAX) return fail({ code: 'slip_too_long' });
  if (note.length > REASON_MAX) return fail({ code: 'note_too_long' });
  const happenedAt = readReceived(entered.receivedAt.trim(), runtime.clock());
  if (happenedAt === 'invalid') return fail({ code: 'received_at_invalid' });
  const bill = isUuid(billId) ? await findBillOf(runtime.db, access, billId) : undefined;
  if (!bill) return fail({ code: 'bill_not_found' });

  const request = JSON.stringify([bill.id, amount.toString(), source, entered.receivedAt, slip, note, entered.overpay]);
  const requestHash = new Uint8Array(createHash('sha256').update(request).digest());
  const payment = { ...entered, slip, note, happenedAt, requestKey, requestHash };
  try {
    return await withBills(
      runtime,
      async () => [bill.id],
      (tx, bookings, now) => book(runtime, access, { tx, bookings, now }, { billId: bill.id, before, ...payment }),
    );
  } catch (error) {
    // Another request with the same key was faster, and recorded a payment of another bill.
    if (postgresError(error)?.constraint === RECORD_KEY) return fail({ code: 'idempotency_key_reused' });
    throw error;
  }
}

/**
 * Returns why the sender may not record a payment, or null. Cashiers may record only cash, only at the counter, and only if the merchant
 * allows it.
 */
export async function refuseToRecord(
  { db }: Pick<Runtime, 'db'>,
  access: Access | KeyAccess,
  { source, atCounter }: { source: HandSource; atCounter: boolean },
): Promise<AccessRefusal | null> {
  if (access.billsOf === null) return authorize(access, 'payments.record');
  const refusal = authorize(access, 'counter.use');
  if (refusal) return refusal;
  const allowed = atCounter && source === 'cash' && (await findProfile(db, access.scope))?.cashiersTakeCash === true;
  return allowed ? null : 'not_allowed';
}

/** Reads when money was received: null for now. Today means now, and another day means its noon in East Africa. */
function readReceived(text: string, now: Date): Date | null | 'invalid' {
  if (text === '' || text === eastAfricanDay(now)) return null;
  const day = parseDay(text);
  const at = day ? addMs(day, 12 * HOUR_MS) : parseInstant(text, ['iso']);
  return at !== null && at <= now && at >= addMs(now, -AGE_MAX_MS) ? at : 'invalid';
}

interface BookOptions extends Omit<RecordPaymentOptions, 'receivedAt' | 'atCounter' | 'before'> {
  readonly before: RecordPaymentOptions['before'] | undefined;
  readonly happenedAt: Date | null;
  readonly requestHash: Uint8Array<ArrayBuffer>;
}

/** Books the payment in a transaction that has locked the bill. */
async function book(
  runtime: Needs,
  access: Access | KeyAccess,
  { tx, bookings, now }: { tx: Queryable; bookings: Bookings; now: Date },
  { billId, amount, source, slip, note, overpay, before, happenedAt, requestKey, requestHash }: BookOptions,
): Promise<Result<Recorded, RecordRefusal>> {
  const { scope, actor } = access;
  const earlier = await findRecorded(tx, scope, requestKey);
  if (earlier) {
    const same = Buffer.compare(earlier.requestHash, requestHash) === 0;
    return same ? ok({ paymentId: earlier.paymentId, replayed: true }) : fail({ code: 'idempotency_key_reused' });
  }
  await before?.(tx);
  const bill = await findBillOf(tx, access, billId);
  if (!bill) return fail({ code: 'bill_not_found' });
  const left = payableAmount(bill);
  const reserved = bill.reservedAmount;
  if (amount > left && reserved > 0n) return fail({ code: 'prompt_open', left, reserved });
  if (amount > left && !overpay) return fail({ code: 'more_than_due', left });

  const paymentId = newId(runtime);
  const transactionId = slip || paymentId;
  const accountId = await findHandAccount(tx, scope, { id: newId(runtime), now });
  const entry = { id: paymentId, ...scope, accountId, transactionId, source, amount, happenedAt, now };
  if (!(await insertRecorded(tx, { ...entry, requestKey, requestHash }))) return fail({ code: 'slip_used' });
  const allocation = { id: newId(runtime), paymentId, bill, amount, createdBy: actor.name, createdAt: now };
  await insertAllocations(tx, [allocation]);
  const facts = { amount: amount.toString(), source, ...(slip && { slip }), ...(note && { note }) };
  const data = { by: actor.name, payment: paymentId, transactionId, ...facts, ...(isClosed(bill, now) && { closed: true }) };
  bookings.add(billId, { paid: amount, events: [{ type: 'payment.recorded', data }] });
  const audited = { ...scope, actor, action: 'payment.recorded', subject: paymentId };
  await recordEntry(runtime, { ...audited, data: { bill: billId, ...facts } }, tx);
  return ok({ paymentId, replayed: false });
}

const INSERT_RECORDED = statement({
  name: 'insert a payment that a person recorded',
  text: `WITH entered AS (
           INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, source, amount, recorded_at, happened_at)
           VALUES ($id, $environment, $merchantId, $accountId, $transactionId, 'payment', $source, $amount, $now, $happenedAt)
           ON CONFLICT (till_id, provider_transaction_id, kind) DO NOTHING RETURNING id, merchant_id, environment)
         INSERT INTO payment_record (payment_id, merchant_id, environment, request_key, request_hash)
         SELECT id, merchant_id, environment, $requestKey, $requestHash FROM entered RETURNING 1 AS inserted`,
  parameters: {
    ...pick(payment, 'id environment source amount happenedAt'),
    ...pick(paymentRecord, 'merchantId requestKey requestHash'),
    accountId: payment.providerAccountId,
    transactionId: payment.providerTransactionId,
    now: timestamptz,
  },
  columns: { inserted: int4 },
});

/**
 * Inserts a payment that a person recorded, with its request. Returns false if the account already has the receipt number. Throws an error
 * of the constraint `RECORD_KEY` if another payment has the same key.
 */
async function insertRecorded(tx: Queryable, recorded: Parameters<typeof INSERT_RECORDED.rows>[1]): Promise<boolean> {
  return (await INSERT_RECORDED.rows(tx, recorded)).length > 0;
}

const RECORD_KEY = 'payment_record_merchant_id_environment_request_key_key';

const FIND_RECORDED = statement({
  name: 'find a recorded payment by the key of its request',
  text: `SELECT payment_id AS "paymentId", request_hash AS "requestHash" FROM payment_record
         WHERE merchant_id = $merchantId AND environment = $environment AND request_key = $key`,
  parameters: { ...pick(paymentRecord, 'merchantId environment'), key: paymentRecord.requestKey },
  columns: pick(paymentRecord, 'paymentId requestHash'),
});

/** Returns the payment that an earlier request with the same key recorded, with the hash of that request. */
async function findRecorded(db: Queryable, { merchantId, environment }: Scope, key: string) {
  return FIND_RECORDED.first(db, { merchantId, environment, key });
}

interface CorrectRecordedOptions {
  readonly paymentId: string;
  /** The true amount, senti; 0 if nobody received the money. */
  readonly to: Senti;
  /** The reason, as it was entered. */
  readonly reason: string;
}

export type CorrectRecordedRefusal = AccessRefusal | Exclude<CorrectionRefusal, 'review_not_found'> | 'reason_required' | 'reason_too_long';

/** Corrects a payment that a person of the merchant recorded. Only the operator corrects what a provider has confirmed. */
export async function correctRecorded(
  runtime: Needs,
  access: Access,
  { paymentId, to, reason: typed }: CorrectRecordedOptions,
): Promise<Result<null, CorrectRecordedRefusal>> {
  const refusal = authorize(access, 'payments.record');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  const reason = oneLine(typed);
  if (reason === '') return fail('reason_required');
  if (reason.length > REASON_MAX) return fail('reason_too_long');
  const payment = isUuid(paymentId) ? await findPaymentById(runtime.db, paymentId) : undefined;
  const own = payment?.merchantId === scope.merchantId && payment.environment === scope.environment && payment.source !== 'provider';
  if (!own || to < 0n) return fail('not_found');
  const corrected = await correctPayment(runtime, { entryId: paymentId, to, reason, actor, reviewId: null });
  if (corrected.ok) return ok(null);
  if (corrected.error === 'review_not_found') throw new Error('a correction without a review found none');
  return fail(corrected.error);
}

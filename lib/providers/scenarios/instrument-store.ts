import { randomBase62 } from '@/lib/platform/core/base62';
import type { Random } from '@/lib/platform/core/clock';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Queryable } from '@/lib/platform/db/database';
import { merchant, sandboxInstrument, sandboxInstrumentPayment } from '@/lib/platform/db/generated/tables';
import { boolean, int4, int8, nullable, pick, select, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { insertRow } from '@/lib/platform/db/unnest';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { paymentBehaviourOf, WALLET_LIMIT_SHILLINGS } from './scenarios';

const COLUMNS = pick(sandboxInstrument, 'reference kind merchantId payee number amount qr link callbackUrl createdAt expiresAt closedAt');

/** A payment instrument of the simulated provider. The amount is in whole shillings. */
export type SandboxInstrument = Awaited<ReturnType<typeof FIND.rows>>[number];

const INSERT = statement({
  name: 'insert a sandbox instrument',
  text: `${insertRow('sandbox_instrument', COLUMNS)} ON CONFLICT DO NOTHING RETURNING 1 AS inserted`,
  parameters: COLUMNS,
  columns: { inserted: int4 },
});

/** Stores an instrument. @returns false if its reference or its number has been used before. */
export async function insertSandboxInstrument(db: Queryable, instrument: SandboxInstrument): Promise<boolean> {
  return (await INSERT.rows(db, instrument)).length > 0;
}

const FIND = statement({
  name: 'find a sandbox instrument',
  text: `SELECT ${select(COLUMNS)} FROM sandbox_instrument WHERE reference = $reference`,
  parameters: { reference: sandboxInstrument.reference },
  columns: COLUMNS,
});

export async function findSandboxInstrument(db: Queryable, reference: string): Promise<SandboxInstrument | undefined> {
  return FIND.first(db, { reference });
}

const FIND_NUMBER = statement({
  name: 'find a sandbox instrument by its number',
  text: `SELECT ${select(COLUMNS)} FROM sandbox_instrument WHERE number = $number AND merchant_id = $merchantId`,
  parameters: { number: text, merchantId: merchant.id },
  columns: COLUMNS,
});

/** Finds the instrument that a customer of a merchant types or scans. */
export async function findByNumber(db: Queryable, number: string, merchantId: string): Promise<SandboxInstrument | undefined> {
  return /^\d{4,20}$/.test(number) ? FIND_NUMBER.first(db, { number, merchantId }) : undefined;
}

/** Returns a random number without leading zeros. */
export function newNumber(random: Random, length: number): string {
  let digits = '';
  while (digits.length < length)
    for (const byte of random(length)) if (byte < 250 && digits.length < length && digits + (byte % 10) !== '0') digits += byte % 10;
  return digits;
}

const FIND_PAYEE = statement({
  name: 'find the payee of a sandbox instrument',
  text: 'SELECT name FROM merchant WHERE id = $id',
  parameters: { id: merchant.id },
  columns: { name: merchant.name },
});

export async function findPayee(db: Queryable, merchantId: string | undefined): Promise<string> {
  const found = merchantId === undefined ? undefined : await FIND_PAYEE.first(db, { id: merchantId });
  return found?.name ?? 'Merchant';
}

/** Why a wallet refuses to pay an instrument. `paid`: it can be paid only once. `amount`: it takes only its own amount. */
export type PayRefusal = 'ended' | 'paid' | 'amount' | 'limit';

/** Returns why nobody can pay an instrument now; null if somebody can. */
export function endedBy({ kind, closedAt, expiresAt }: SandboxInstrument, now: Date, isPaid: boolean): 'ended' | 'paid' | null {
  if (kind === 'order' && isPaid) return 'paid';
  return closedAt !== null || (expiresAt !== null && expiresAt <= now) ? 'ended' : null;
}

const LOCK = statement({
  name: 'lock a sandbox instrument',
  text: `SELECT ${select(COLUMNS)} FROM sandbox_instrument WHERE reference = $reference FOR UPDATE`,
  parameters: { reference: sandboxInstrument.reference },
  columns: COLUMNS,
});

const NEW_PAYMENT = pick(sandboxInstrumentPayment, 'receipt reference mobile amount paidAt callbacksLeft');
const INSERT_PAYMENT = statement({
  name: 'insert a sandbox instrument payment',
  text: insertRow('sandbox_instrument_payment', NEW_PAYMENT),
  parameters: NEW_PAYMENT,
});

const LIST_PAYMENTS = statement({
  name: 'list the payments of a sandbox instrument',
  text: `SELECT receipt, mobile, amount, paid_at AS "paidAt" FROM sandbox_instrument_payment WHERE reference = $reference
         ORDER BY paid_at, receipt`,
  parameters: { reference: sandboxInstrument.reference },
  columns: pick(sandboxInstrumentPayment, 'receipt mobile amount paidAt'),
});

/** Lists what was paid through an instrument, the oldest payment first. */
export async function listInstrumentPayments(db: Queryable, reference: string) {
  return LIST_PAYMENTS.rows(db, { reference });
}

interface Payer {
  /** In international form; null for a card. */
  readonly mobile: string | null;
  /** Whole shillings. */
  readonly amount: bigint;
}

/** Pays an instrument: what a wallet does after the customer has entered the PIN. Returns the receipt number, or why it refuses. */
export async function payInstrument(
  { db, clock, random }: Pick<Runtime, 'db' | 'clock' | 'random'>,
  reference: string,
  { mobile, amount }: Payer,
): Promise<Result<string, PayRefusal>> {
  return db.sqlTransaction(async (tx) => {
    // The lock makes sure that an order is paid at most once.
    const instrument = await LOCK.first(tx, { reference });
    const now = clock();
    if (!instrument) return fail('ended');
    const { callbacks: callbacksLeft, late } = paymentBehaviourOf(mobile);
    const ended = endedBy(instrument, now, (await listInstrumentPayments(tx, reference)).length > 0);
    if (ended !== null && !late) return fail(ended);
    if (amount <= 0n || (instrument.kind === 'order' && amount !== instrument.amount && !late)) return fail('amount');
    if (mobile !== null && amount > WALLET_LIMIT_SHILLINGS) return fail('limit');
    const receipt = newReceipt(random);
    await INSERT_PAYMENT.rows(tx, { receipt, reference, mobile, amount, paidAt: now, callbacksLeft });
    return ok(receipt);
  });
}

export function newReceipt(random: Random): string {
  return `SBX${randomBase62(random, 9).toUpperCase()}`;
}

const CLOSE = statement({
  name: 'close a sandbox instrument',
  text: `UPDATE sandbox_instrument SET closed_at = coalesce(closed_at, $now) WHERE reference = $reference RETURNING 1 AS done`,
  parameters: { reference: sandboxInstrument.reference, now: timestamptz },
  columns: { done: int4 },
});

/** Ends an instrument. @returns false if there is none. */
export async function closeInstrument(db: Queryable, reference: string, now: Date): Promise<boolean> {
  return (await CLOSE.rows(db, { reference, now })).length > 0;
}

const CHANGE = statement({
  name: 'change the amount of a sandbox instrument',
  text: `UPDATE sandbox_instrument SET amount = $amount WHERE reference = $reference AND kind = 'control_number' AND closed_at IS NULL
         RETURNING 1 AS done`,
  parameters: { reference: sandboxInstrument.reference, amount: sandboxInstrument.amount },
  columns: { done: int4 },
});

/** Changes the amount of a control number, whole shillings. @returns false if there is none that can be paid. */
export async function changeInstrument(db: Queryable, reference: string, amount: bigint): Promise<boolean> {
  return (await CHANGE.rows(db, { reference, amount })).length > 0;
}

const CLAIM_CALLBACKS = statement({
  name: 'claim-sandbox-payments',
  prepared: true,
  text: `
WITH due AS (
  SELECT receipt FROM sandbox_instrument_payment
  WHERE callbacks_left > 0 AND (lease_until IS NULL OR lease_until <= $now)
  ORDER BY paid_at LIMIT $limit FOR UPDATE SKIP LOCKED
)
UPDATE sandbox_instrument_payment p SET lease_until = $leaseUntil, tries = p.tries + 1
FROM due, sandbox_instrument i WHERE p.receipt = due.receipt AND i.reference = p.reference
RETURNING p.receipt, p.reference, p.mobile, p.amount, p.paid_at AS "paidAt", p.tries, i.callback_url AS "callbackUrl"`,
  parameters: { now: timestamptz, leaseUntil: timestamptz, limit: int8 },
  columns: {
    ...pick(sandboxInstrumentPayment, 'receipt reference mobile amount paidAt tries'),
    callbackUrl: sandboxInstrument.callbackUrl,
  },
});

/** A payment whose callback is due. */
export type DueCallback = Awaited<ReturnType<typeof CLAIM_CALLBACKS.rows>>[number];

export async function claimCallbacks(db: Queryable, lease: { now: Date; leaseUntil: Date; limit: number }): Promise<DueCallback[]> {
  return CLAIM_CALLBACKS.rows(db, { ...lease, limit: BigInt(lease.limit) });
}

const END_CALLBACK = statement({
  name: 'end the callback of a sandbox payment',
  text: `UPDATE sandbox_instrument_payment SET lease_until = $retryAt, tries = CASE WHEN $over THEN 0 ELSE tries END,
           callbacks_left = callbacks_left - CASE WHEN $over THEN 1 ELSE 0 END
         WHERE receipt = $receipt AND callbacks_left > 0`,
  parameters: { receipt: sandboxInstrumentPayment.receipt, retryAt: nullable(timestamptz), over: boolean },
});

/** Notes that a callback was sent. @param retryAt when it is sent again; null if it is over. */
export async function endCallback(db: Queryable, receipt: string, retryAt: Date | null): Promise<void> {
  await END_CALLBACK.rows(db, { receipt, retryAt, over: retryAt === null });
}

const LIST_PAID = statement({
  name: 'list the sandbox instrument payments of a period',
  text: `SELECT receipt, reference, mobile, amount, paid_at AS at FROM sandbox_instrument_payment
         WHERE paid_at >= $from AND paid_at < $to ORDER BY paid_at, receipt`,
  parameters: { from: timestamptz, to: timestamptz },
  columns: { ...pick(sandboxInstrumentPayment, 'receipt reference mobile amount'), at: timestamptz },
});

/** Lists the payments of all instruments in a period, oldest first. Amounts: whole shillings. */
export async function listPaidInstruments(db: Queryable, period: { readonly from: Date; readonly to: Date }) {
  return LIST_PAID.rows(db, period);
}

const DELETE_OLD = statement({
  name: 'delete old sandbox instruments',
  text: `
WITH old AS (
  SELECT reference FROM sandbox_instrument i WHERE created_at < $before
    AND NOT EXISTS (SELECT 1 FROM sandbox_instrument_payment p WHERE p.reference = i.reference AND p.paid_at >= $before)
  LIMIT $limit::int FOR UPDATE SKIP LOCKED
),
payments AS (DELETE FROM sandbox_instrument_payment p USING old WHERE p.reference = old.reference)
SELECT count(*)::int AS count FROM old`,
  parameters: { before: timestamptz, limit: int4 },
  columns: { count: int4 },
});

const DELETE_EMPTY = statement({
  name: 'delete old sandbox instruments without payments',
  text: `WITH deleted AS (
           DELETE FROM sandbox_instrument i WHERE created_at < $before
             AND NOT EXISTS (SELECT 1 FROM sandbox_instrument_payment p WHERE p.reference = i.reference)
           RETURNING 1
         ) SELECT count(*)::int AS count FROM deleted`,
  parameters: { before: timestamptz },
  columns: { count: int4 },
});

/** Deletes instruments that are older than a time, with their payments. @returns how many. */
export async function deleteOldInstruments(db: Queryable, before: Date, limit: number): Promise<number> {
  const emptied = (await DELETE_OLD.first(db, { before, limit }))?.count ?? 0;
  // Payments refer to instruments by a foreign key, so instruments are deleted last.
  await DELETE_EMPTY.rows(db, { before });
  return emptied;
}

import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { lowestId } from '@/lib/platform/core/ids';
import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { sandboxPhone, sandboxPrompt, sandboxRefund, sandboxRing, sandboxStep } from '@/lib/platform/db/generated/tables';
import { int4, int8, nullable, pick, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { insertRow } from '@/lib/platform/db/unnest';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { deleteOldInstruments } from '@/lib/providers/scenarios/instrument-store';
import type { Step } from './outcomes';
import { type SandboxStatus, statusSchema } from './wire';

const INSERT_PROMPT = statement({
  name: 'insert a sandbox prompt',
  text: `INSERT INTO sandbox_prompt (reference, mobile, amount, callback_url, receipt, created_at)
         VALUES ($reference, $mobile, $amount, $callbackUrl, $receipt, $createdAt)
         ON CONFLICT (reference) DO NOTHING RETURNING 1 AS inserted`,
  parameters: {
    ...pick(sandboxPrompt, 'reference mobile callbackUrl receipt createdAt'),
    /** The amount that the customer pays, whole shillings. */
    amount: sandboxPrompt.amount,
  },
  columns: { inserted: int4 },
});

/**
 * Stores a prompt in the simulated provider's own tables, which no other part of Bili reads.
 * @returns false if the reference has been used before.
 */
export async function insertPrompt(tx: Queryable, prompt: Parameters<typeof INSERT_PROMPT.rows>[1]): Promise<boolean> {
  return (await INSERT_PROMPT.rows(tx, prompt)).length > 0;
}

const INSERT_STEP = statement({
  name: 'insert a sandbox step',
  text: `INSERT INTO sandbox_step (reference, number, status, announced, due_at, done_at, lease_until)
         VALUES ($reference, $number, $status, $announced, $dueAt, $doneAt, $leaseUntil)`,
  parameters: pick(sandboxStep, 'reference number status announced dueAt doneAt leaseUntil'),
});

/**
 * Stores a step of a prompt. If `leaseUntil` is not null, `claimSteps` returns the step before that time only to callers that pass the
 * reference of the prompt.
 */
export async function insertStep(
  tx: Queryable,
  reference: string,
  number: number,
  step: Step & { readonly dueAt: Date; readonly leaseUntil: Date | null },
): Promise<void> {
  await INSERT_STEP.rows(tx, { ...step, reference, number, doneAt: step.announced ? null : step.dueAt });
}

const REVERSAL = `f.amount AS "reversedAmount", f.receipt AS "reversalReceipt"`;
/** The reversal that a step reports; null if the provider reversed the whole payment by itself. */
const REVERSAL_COLUMNS = { reversedAmount: nullable(sandboxRefund.amount), reversalReceipt: nullable(sandboxRefund.receipt) };

const FIND_REPORT = statement({
  name: 'find the state of a sandbox prompt',
  text: `SELECT p.mobile, p.receipt, p.amount, s.status, ${REVERSAL}
         FROM sandbox_prompt p
         LEFT JOIN LATERAL (SELECT * FROM sandbox_step WHERE reference = p.reference AND due_at <= $now ORDER BY number DESC LIMIT 1) s ON true
         LEFT JOIN sandbox_refund f ON f.reference = s.refund_reference
         WHERE p.reference = $reference`,
  parameters: { reference: sandboxPrompt.reference, now: timestamptz },
  columns: { ...pick(sandboxPrompt, 'mobile receipt amount'), ...REVERSAL_COLUMNS, status: nullable(sandboxStep.status) },
});

/** Returns the current state of a prompt. */
export async function findReport(db: Queryable, reference: string, now: Date) {
  const found = await FIND_REPORT.first(db, { reference, now });
  return found && { ...found, status: statusSchema.parse(found.status ?? 'PENDING') };
}

const LOCK_PROMPT = statement({
  name: 'lock a sandbox prompt',
  text: 'SELECT 1 AS found FROM sandbox_prompt WHERE reference = $reference FOR UPDATE',
  parameters: { reference: sandboxPrompt.reference },
  columns: { found: int4 },
});

const INSERT_REFUND = statement({
  name: 'insert a sandbox refund',
  text: `INSERT INTO sandbox_refund (reference, prompt_reference, mobile, amount, receipt, succeeds, ends_at, created_at)
         VALUES ($reference, $promptReference, $mobile, $amount, $receipt, $succeeds, $endsAt, $createdAt)
         ON CONFLICT (reference) DO NOTHING RETURNING 1 AS inserted`,
  parameters: pick(sandboxRefund, 'reference promptReference mobile amount receipt succeeds endsAt createdAt'),
  columns: { inserted: int4 },
});

const LEFT_OF_PAYMENT = statement({
  name: 'find what is left of a sandbox payment',
  // Nothing is left if the provider has reversed the payment by itself.
  text: `SELECT CASE WHEN bool_or(s.status = 'PAID') AND NOT bool_or(s.status = 'REVERSED' AND s.refund_reference IS NULL)
           THEN p.amount - coalesce((SELECT sum(f.amount) FROM sandbox_refund f WHERE f.prompt_reference = p.reference AND f.succeeds), 0)
           ELSE 0 END::bigint AS amount
         FROM sandbox_prompt p JOIN sandbox_step s ON s.reference = p.reference AND s.due_at <= $now
         WHERE p.reference = $reference GROUP BY p.reference`,
  parameters: { reference: sandboxPrompt.reference, now: timestamptz },
  columns: { amount: int8 },
});

const INSERT_REVERSAL_STEPS = statement({
  name: 'insert the callbacks of a sandbox reversal',
  text: `INSERT INTO sandbox_step (reference, number, status, announced, due_at, done_at, refund_reference)
         SELECT $reference, (SELECT max(number) FROM sandbox_step WHERE reference = $reference) + n, 'REVERSED', $callbacks::int > 0, $dueAt::timestamptz,
           CASE WHEN $callbacks::int = 0 THEN $dueAt::timestamptz END, $refundReference
         FROM generate_series(1, greatest($callbacks::int, 1)) AS n`,
  parameters: { ...pick(sandboxStep, 'reference dueAt'), refundReference: text, callbacks: int4 },
});

type NewRefund = Parameters<typeof INSERT_REFUND.rows>[1];

/** Stores a payout. @returns false if its reference has been used before. */
export async function insertPayout(db: Queryable, payout: Omit<NewRefund, 'promptReference'>): Promise<boolean> {
  return (await INSERT_REFUND.rows(db, { ...payout, promptReference: null })).length > 0;
}

/**
 * Stores a reversal of a payment or of a part of it, with the steps that report it.
 * @param callbacks the number of callbacks. With 0, only status queries report the reversal.
 */
export async function insertReversal(
  tx: Queryable,
  { callbacks, ...reversal }: NewRefund & { readonly promptReference: string; readonly callbacks: number },
): Promise<'accepted' | 'duplicate' | 'not_paid'> {
  const { reference: refundReference, promptReference: reference, createdAt: now } = reversal;
  // The lock makes sure that parallel reversals are never more than the payment.
  await LOCK_PROMPT.rows(tx, { reference });
  const known = await findRefund(tx, refundReference);
  if (known) return 'duplicate';
  const left = (await LEFT_OF_PAYMENT.first(tx, { reference, now }))?.amount ?? 0n;
  if (reversal.amount > left) return 'not_paid';
  if ((await INSERT_REFUND.rows(tx, reversal)).length === 0) return 'duplicate';
  if (reversal.succeeds) await INSERT_REVERSAL_STEPS.rows(tx, { reference, refundReference, callbacks, dueAt: reversal.endsAt });
  return 'accepted';
}

const FIND_REFUND = statement({
  name: 'find a sandbox refund',
  text: 'SELECT amount, receipt, succeeds, ends_at AS "endsAt" FROM sandbox_refund WHERE reference = $reference',
  parameters: { reference: sandboxRefund.reference },
  columns: pick(sandboxRefund, 'amount receipt succeeds endsAt'),
});

/** Returns a reversal or a payout that the simulated provider has accepted. */
export async function findRefund(db: Queryable, reference: string) {
  return FIND_REFUND.first(db, { reference });
}

export type DueStep = Awaited<ReturnType<typeof claimSteps>>[number];

const CLAIM_STEPS = statement({
  name: 'claim-sandbox-steps',
  prepared: true,
  text: `
WITH due AS (
  SELECT reference, number, refund_reference FROM sandbox_step
  WHERE done_at IS NULL AND due_at <= $now AND (lease_until IS NULL OR lease_until <= $now OR reference = $reference)
    AND ($reference::text IS NULL OR reference = $reference)
  ORDER BY due_at LIMIT $limit FOR UPDATE SKIP LOCKED
)
UPDATE sandbox_step s SET lease_until = $leaseUntil, tries = s.tries + 1
FROM due JOIN sandbox_prompt p USING (reference) LEFT JOIN sandbox_refund f ON f.reference = due.refund_reference
WHERE s.reference = due.reference AND s.number = due.number
RETURNING s.reference, s.number, s.status, s.tries, p.receipt, p.amount, p.callback_url AS "callbackUrl", ${REVERSAL}`,
  parameters: { now: timestamptz, leaseUntil: timestamptz, limit: int8, reference: nullable(sandboxStep.reference) },
  columns: {
    ...pick(sandboxStep, 'reference number status tries'),
    ...pick(sandboxPrompt, 'receipt amount callbackUrl'),
    ...REVERSAL_COLUMNS,
  },
});

/** Claims due steps: the steps of one prompt or, if `reference` is null, of all prompts. */
export async function claimSteps(
  db: Queryable,
  { now, leaseUntil, limit, reference = null }: { now: Date; leaseUntil: Date; limit: number; reference?: string | null },
) {
  const rows = await CLAIM_STEPS.rows(db, { now, leaseUntil, limit: BigInt(limit), reference });
  return rows.map(withStatus);
}

function withStatus<Row extends { readonly status: string }>(row: Row): Omit<Row, 'status'> & { status: SandboxStatus } {
  return { ...row, status: statusSchema.parse(row.status) };
}

export type FinalState = Awaited<ReturnType<typeof listFinalStates>>[number];

const LIST_FINAL_STATES = statement({
  name: 'list the final states of sandbox prompts',
  text: `SELECT p.reference, p.mobile, p.amount, p.receipt, s.status, min(s.due_at) AS at, ${REVERSAL}
         FROM sandbox_step s JOIN sandbox_prompt p ON p.reference = s.reference LEFT JOIN sandbox_refund f ON f.reference = s.refund_reference
         GROUP BY p.reference, s.status, f.reference HAVING min(s.due_at) >= $from AND min(s.due_at) < $to
         ORDER BY min(s.due_at), p.reference`,
  parameters: { from: timestamptz, to: timestamptz },
  columns: {
    ...pick(sandboxPrompt, 'reference mobile amount receipt'),
    ...REVERSAL_COLUMNS,
    status: sandboxStep.status,
    at: timestamptz,
  },
});

interface Period {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Lists the final states of prompts in a period, oldest first: one for each reversal of a part of the payment. A state with two callbacks
 * is listed once. Amounts: whole shillings.
 */
export async function listFinalStates(db: Queryable, period: Period) {
  return (await LIST_FINAL_STATES.rows(db, period)).map(withStatus);
}

const LIST_PAYOUTS = statement({
  name: 'list sandbox payouts',
  text: `SELECT reference, mobile, amount, receipt, ends_at AS at FROM sandbox_refund
         WHERE prompt_reference IS NULL AND succeeds AND ends_at >= $from AND ends_at < $to ORDER BY ends_at, reference`,
  parameters: { from: timestamptz, to: timestamptz },
  columns: { ...pick(sandboxRefund, 'reference mobile amount receipt'), at: timestamptz },
});

/** Lists the payouts of a period, oldest first. Amounts: whole shillings. */
export async function listPayouts(db: Queryable, period: Period) {
  return LIST_PAYOUTS.rows(db, period);
}

/** A number of a merchant's test phone, in national form. */
interface PhoneNumber extends Scope {
  readonly mobile: string;
}

/** A test phone that receives a prompt. */
export interface RungPhone extends PhoneNumber {
  readonly network: string;
  /** Whether the phone is switched off, so that nobody sees the prompt. */
  readonly missed: boolean;
}

const FIND_PHONE = statement({
  name: 'find an open test phone',
  text: `SELECT is_on AS "isOn" FROM sandbox_phone
         WHERE merchant_id = $merchantId AND environment = $environment AND mobile = $mobile AND held_until > $now`,
  parameters: { ...pick(sandboxPhone, 'merchantId environment mobile'), now: timestamptz },
  columns: { isOn: sandboxPhone.isOn },
});

/** Returns the test phone of a number; undefined if no open page shows this phone. */
export async function findPhone(db: Queryable, number: PhoneNumber, now: Date) {
  return FIND_PHONE.first(db, { ...number, now });
}

const NEW_RING = pick(sandboxRing, 'reference merchantId environment mobile network missed createdAt');
const INSERT_RING = statement({ name: 'insert a prompt of a test phone', text: insertRow('sandbox_ring', NEW_RING), parameters: NEW_RING });

/** Stores that a test phone received a prompt. */
export async function insertRing(tx: Queryable, ring: RungPhone & { readonly reference: string; readonly createdAt: Date }): Promise<void> {
  await INSERT_RING.rows(tx, ring);
}

/** How long the simulated provider remembers a prompt. Afterwards, it can no longer reverse the payment. */
export const KEPT_DAYS = 90;
const BATCH = 1_000;

const DELETE_OLD = statement({
  name: 'delete old sandbox prompts',
  text: `
WITH old AS (
  SELECT reference FROM sandbox_prompt p WHERE created_at < $before
    AND NOT EXISTS (SELECT 1 FROM sandbox_step s WHERE s.reference = p.reference AND s.done_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM sandbox_refund f WHERE f.prompt_reference = p.reference AND f.created_at >= $before)
  LIMIT $limit::int FOR UPDATE SKIP LOCKED
),
rings AS (DELETE FROM sandbox_ring r USING old WHERE r.reference = old.reference),
steps AS (DELETE FROM sandbox_step s USING old WHERE s.reference = old.reference),
scenarios AS (
  DELETE FROM sandbox_scenario WHERE (merchant_id, environment, bill_id) IN (
    SELECT merchant_id, environment, bill_id FROM sandbox_scenario WHERE bill_id < $lowestBill LIMIT $limit::int
  )
)
SELECT count(*)::int AS count FROM old`,
  parameters: { before: timestamptz, lowestBill: uuid, limit: int4 },
  columns: { count: int4 },
});

const DELETE_REFUNDS = statement({
  name: 'delete sandbox refunds without steps',
  text: `WITH deleted AS (
           DELETE FROM sandbox_refund f WHERE ends_at < $before
             AND NOT EXISTS (SELECT 1 FROM sandbox_step s WHERE s.refund_reference = f.reference)
           RETURNING 1
         ) SELECT count(*)::int AS count FROM deleted`,
  parameters: { before: timestamptz },
  columns: { count: int4 },
});

const DELETE_PROMPTS = statement({
  name: 'delete sandbox prompts without steps',
  text: `WITH deleted AS (
           DELETE FROM sandbox_prompt p WHERE created_at < $before
             AND NOT EXISTS (SELECT 1 FROM sandbox_step s WHERE s.reference = p.reference)
             AND NOT EXISTS (SELECT 1 FROM sandbox_ring r WHERE r.reference = p.reference)
             AND NOT EXISTS (SELECT 1 FROM sandbox_refund f WHERE f.prompt_reference = p.reference)
           RETURNING 1
         ) SELECT count(*)::int AS count FROM deleted`,
  parameters: { before: timestamptz },
  columns: { count: int4 },
});

/** Deletes old prompts and instruments of the simulated provider, with everything that belongs to them. Returns whether there may be more. */
export async function deleteOldPrompts({ db, clock }: Pick<Runtime, 'db' | 'clock'>): Promise<boolean> {
  const before = addMs(clock(), -KEPT_DAYS * DAY_MS);
  const emptied = (await DELETE_OLD.first(db, { before, lowestBill: lowestId(before.getTime()), limit: BATCH }))?.count ?? 0;
  // Rows of the other tables refer to prompts by foreign keys, so prompts are deleted last. Steps refer to refunds.
  await DELETE_REFUNDS.rows(db, { before });
  await DELETE_PROMPTS.rows(db, { before });
  const instruments = await deleteOldInstruments(db, before, BATCH);
  return Math.max(emptied, instruments) === BATCH;
}

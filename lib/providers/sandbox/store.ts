import type { Queryable } from '@/lib/db/database';
import { boolean, int4, int8, nullable, text, timestamptz } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { Step } from './outcomes';
import { type SandboxStatus, statusSchema } from './wire';

const INSERT_PROMPT = statement({
  name: 'insert a sandbox prompt',
  text: `INSERT INTO sandbox_prompt (reference, mobile, amount, callback_url, receipt, created_at)
         VALUES ($reference, $mobile, $amount, $callbackUrl, $receipt, $createdAt)
         ON CONFLICT (reference) DO NOTHING RETURNING 1 AS inserted`,
  parameters: {
    reference: text,
    mobile: text,
    /** The amount that the customer pays, whole shillings. */
    amount: int8,
    callbackUrl: text,
    receipt: text,
    createdAt: timestamptz,
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
  parameters: {
    reference: text,
    number: int4,
    status: text,
    announced: boolean,
    dueAt: timestamptz,
    doneAt: nullable(timestamptz),
    leaseUntil: nullable(timestamptz),
  },
  columns: {},
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

const FIND_REPORT = statement({
  name: 'find the state of a sandbox prompt',
  text: `SELECT p.receipt, p.amount,
           (SELECT s.status FROM sandbox_step s WHERE s.reference = p.reference AND s.due_at <= $now ORDER BY s.number DESC LIMIT 1) AS status
         FROM sandbox_prompt p WHERE p.reference = $reference`,
  parameters: { reference: text, now: timestamptz },
  columns: { receipt: text, amount: int8, status: nullable(text) },
});

/** Returns the current state of a prompt. */
export async function findReport(db: Queryable, reference: string, now: Date) {
  const found = await FIND_REPORT.first(db, { reference, now });
  return found && { ...found, status: statusSchema.parse(found.status ?? 'PENDING') };
}

const APPEND_REVERSAL = statement({
  name: 'reverse a sandbox payment',
  text: `INSERT INTO sandbox_step (reference, number, status, announced, due_at)
         SELECT reference, max(number) + 1, 'REVERSED', true, $now FROM sandbox_step WHERE reference = $reference GROUP BY reference
         HAVING (array_agg(status ORDER BY number DESC) FILTER (WHERE due_at <= $now))[1] = 'PAID'
         ON CONFLICT DO NOTHING RETURNING 1 AS reversed`,
  parameters: { reference: text, now: timestamptz },
  columns: { reversed: int4 },
});

/** Reverses a payment, and makes the callback about the reversal due. @returns false if nothing was paid, or if it is already reversed. */
export async function appendReversal(db: Queryable, reference: string, now: Date): Promise<boolean> {
  return (await APPEND_REVERSAL.rows(db, { reference, now })).length > 0;
}

export type DueStep = Awaited<ReturnType<typeof claimSteps>>[number];

const CLAIM_STEPS = statement({
  name: 'claim-sandbox-steps',
  prepared: true,
  text: `
WITH due AS (
  SELECT reference, number FROM sandbox_step
  WHERE done_at IS NULL AND due_at <= $now AND (lease_until IS NULL OR lease_until <= $now OR reference = $reference)
    AND ($reference::text IS NULL OR reference = $reference)
  ORDER BY due_at LIMIT $limit FOR UPDATE SKIP LOCKED
)
UPDATE sandbox_step s SET lease_until = $leaseUntil, tries = s.tries + 1
FROM due JOIN sandbox_prompt p USING (reference)
WHERE s.reference = due.reference AND s.number = due.number
RETURNING s.reference, s.number, s.status, s.tries, p.receipt, p.amount, p.callback_url AS "callbackUrl"`,
  parameters: { now: timestamptz, leaseUntil: timestamptz, limit: int8, reference: nullable(text) },
  columns: { reference: text, number: int4, status: text, tries: int4, receipt: text, amount: int8, callbackUrl: text },
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

const FINISH_STEP = statement({
  name: 'finish a sandbox step',
  text: `UPDATE sandbox_step SET lease_until = $retryAt::timestamptz, done_at = CASE WHEN $retryAt::timestamptz IS NULL THEN $now::timestamptz END
         WHERE reference = $reference AND number = $number`,
  parameters: { reference: text, number: int4, now: timestamptz, retryAt: nullable(timestamptz) },
  columns: {},
});

/**
 * If `retryAt` is null, marks the callback of a step as done. Otherwise, the callback is sent again at `retryAt`. Status queries report the
 * state of the step in both cases.
 */
export async function finishStep(db: Queryable, { reference, number }: DueStep, now: Date, retryAt: Date | null): Promise<void> {
  await FINISH_STEP.rows(db, { reference, number, now, retryAt });
}

export type FinalState = Awaited<ReturnType<typeof listFinalStates>>[number];

const LIST_FINAL_STATES = statement({
  name: 'list the final states of sandbox prompts',
  text: `SELECT p.reference, p.mobile, p.amount, p.receipt, s.status, min(s.due_at) AS at
         FROM sandbox_step s JOIN sandbox_prompt p ON p.reference = s.reference
         GROUP BY p.reference, s.status HAVING min(s.due_at) >= $from AND min(s.due_at) < $to ORDER BY min(s.due_at), p.reference`,
  parameters: { from: timestamptz, to: timestamptz },
  columns: { reference: text, mobile: text, amount: int8, receipt: text, status: text, at: timestamptz },
});

/** Lists the final states of prompts in a period, oldest first. A state with two callbacks is listed once. Amounts: whole shillings. */
export async function listFinalStates(db: Queryable, period: { readonly from: Date; readonly to: Date }) {
  return (await LIST_FINAL_STATES.rows(db, period)).map(withStatus);
}

import type { Queryable } from '@/lib/db/database';
import type { Step } from './outcomes';
import type { SandboxStatus } from './wire';

/** The simulated provider's own record. Nothing of the gateway reads it. */
interface RecordedPrompt {
  readonly reference: string;
  readonly mobile: string;
  /** Whole shillings that will have moved once it is paid. */
  readonly amount: bigint;
  readonly callbackUrl: string;
  readonly receipt: string;
  readonly createdAt: Date;
}

/** @returns false when the reference has been used before. */
export async function insertPrompt(tx: Queryable, prompt: RecordedPrompt): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `INSERT INTO sandbox_prompt (reference, mobile, amount, callback_url, receipt, created_at) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (reference) DO NOTHING RETURNING 1 AS inserted`,
    },
    [prompt.reference, prompt.mobile, prompt.amount, prompt.callbackUrl, prompt.receipt, prompt.createdAt],
  );
  return rows.length > 0;
}

/** @param leaseUntil until when only whoever names the prompt may take the step; null for anybody. */
export async function insertStep(
  tx: Queryable,
  prompt: RecordedPrompt,
  number: number,
  step: Step & { readonly dueAt: Date; readonly leaseUntil: Date | null },
): Promise<void> {
  await tx.query(
    {
      text: 'INSERT INTO sandbox_step (reference, number, status, announced, due_at, done_at, lease_until) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    },
    [prompt.reference, number, step.status, step.announced, step.dueAt, step.announced ? null : step.dueAt, step.leaseUntil],
  );
}

/** @returns what a prompt has come to by now. */
export async function findReport(
  db: Queryable,
  reference: string,
  now: Date,
): Promise<{ status: SandboxStatus; receipt: string; amount: bigint } | undefined> {
  const [found] = await db.query<{ status: SandboxStatus | null; receipt: string; amount: bigint }>(
    {
      text: `SELECT p.receipt, p.amount, (SELECT s.status FROM sandbox_step s WHERE s.reference = p.reference AND s.due_at <= $2 ORDER BY s.number DESC LIMIT 1) AS status
             FROM sandbox_prompt p WHERE p.reference = $1`,
    },
    [reference, now],
  );
  return found && { ...found, status: found.status ?? 'PENDING' };
}

/** Sends a payment back and has it told. @returns false when nothing was paid, or it went back before. */
export async function appendReversal(db: Queryable, reference: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    {
      text: `INSERT INTO sandbox_step (reference, number, status, announced, due_at)
             SELECT reference, max(number) + 1, 'REVERSED', true, $2 FROM sandbox_step WHERE reference = $1 GROUP BY reference
             HAVING (array_agg(status ORDER BY number DESC) FILTER (WHERE due_at <= $2))[1] = 'PAID'
             ON CONFLICT DO NOTHING RETURNING 1 AS reversed`,
    },
    [reference, now],
  );
  return rows.length > 0;
}

export interface DueStep {
  readonly reference: string;
  readonly number: number;
  readonly status: SandboxStatus;
  readonly tries: number;
  readonly receipt: string;
  readonly amount: bigint;
  readonly callbackUrl: string;
}

/** Takes due steps for one simulator: those of one prompt, or any. */
export async function claimSteps(
  db: Queryable,
  { now, leaseUntil, limit, reference = null }: { now: Date; leaseUntil: Date; limit: number; reference?: string | null },
): Promise<DueStep[]> {
  return db.query<DueStep>(
    {
      name: 'claim-sandbox-steps',
      text: `
WITH due AS (
  SELECT reference, number FROM sandbox_step
  WHERE done_at IS NULL AND due_at <= $1 AND (lease_until IS NULL OR lease_until <= $1 OR reference = $4) AND ($4::text IS NULL OR reference = $4)
  ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
)
UPDATE sandbox_step s SET lease_until = $2, tries = s.tries + 1
FROM due JOIN sandbox_prompt p USING (reference)
WHERE s.reference = due.reference AND s.number = due.number
RETURNING s.reference, s.number, s.status, s.tries, p.receipt, p.amount, p.callback_url AS "callbackUrl"`,
    },
    [now, leaseUntil, limit, reference],
  );
}

/** Ends a step, or has it told again at `retryAt`. It has happened all the same: status queries know it. */
export async function finishStep(db: Queryable, step: DueStep, now: Date, retryAt: Date | null): Promise<void> {
  await db.query(
    {
      text: `UPDATE sandbox_step SET lease_until = $4::timestamptz, done_at = CASE WHEN $4::timestamptz IS NULL THEN $3::timestamptz END
             WHERE reference = $1 AND number = $2`,
    },
    [step.reference, step.number, now, retryAt],
  );
}

/** What became of a prompt, as a statement tells it. */
export interface RecordedEnd {
  readonly reference: string;
  readonly mobile: string;
  /** Whole shillings. */
  readonly amount: bigint;
  readonly receipt: string;
  readonly status: SandboxStatus;
  readonly at: Date;
}

/** @returns every end that prompts have come to in a period, oldest first; one that is told twice is there once. */
export async function listEnds(db: Queryable, { from, to }: { from: Date; to: Date }): Promise<RecordedEnd[]> {
  return db.query<RecordedEnd>(
    {
      text: `SELECT p.reference, p.mobile, p.amount, p.receipt, s.status, min(s.due_at) AS at
             FROM sandbox_step s JOIN sandbox_prompt p ON p.reference = s.reference
             GROUP BY p.reference, s.status HAVING min(s.due_at) >= $1 AND min(s.due_at) < $2 ORDER BY min(s.due_at), p.reference`,
    },
    [from, to],
  );
}

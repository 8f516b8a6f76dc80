import { isRecord } from '@/lib/core/is-record';
import type { Connection, Queryable } from '@/lib/db/database';
import { int4, jsonb, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

export interface Notice {
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The number of requests, including the one of this claim. */
  readonly tries: number;
  readonly createdAt: Date;
}

const INSERT_NOTICE = statement({
  name: 'insert a notice to the operator',
  text: 'INSERT INTO operator_notice (id, body, due_at, created_at) VALUES ($id, $body, $now, $now)',
  parameters: { id: uuid, body: jsonb, now: timestamptz },
  columns: {},
});

export async function insertNotice(
  tx: Queryable,
  notice: { readonly id: string; readonly body: Notice['body']; readonly now: Date },
): Promise<void> {
  await INSERT_NOTICE.rows(tx, notice);
}

const CLAIM_NOTICES = statement({
  name: 'claim notices to the operator',
  text: `UPDATE operator_notice SET due_at = $dueAgain, tries = tries + 1 WHERE id IN (
           SELECT id FROM operator_notice WHERE due_at <= $now ORDER BY due_at LIMIT $limit::int FOR UPDATE SKIP LOCKED)
         RETURNING id, body, tries, created_at AS "createdAt"`,
  parameters: { now: timestamptz, dueAgain: timestamptz, limit: int4 },
  columns: { id: uuid, body: jsonb, tries: int4, createdAt: timestamptz },
});

/** Claims due notices. A notice whose worker dies is due again at `dueAgain`. */
export async function claimNotices(
  db: Queryable,
  claim: { readonly now: Date; readonly dueAgain: Date; readonly limit: number },
): Promise<Notice[]> {
  const notices = await CLAIM_NOTICES.rows(db, claim);
  return notices.map(({ body, ...notice }) => ({ ...notice, body: isRecord(body) ? body : {} }));
}

/** Records the result of posting a notice. @param dueAt when to retry; null if the notice was accepted or is not retried any more. */
export async function settleNotice(
  { prisma }: Connection,
  { id }: Pick<Notice, 'id'>,
  { dueAt, error }: { readonly dueAt: Date | null; readonly error: string | null },
): Promise<void> {
  await prisma.operatorNotice.updateMany({ where: { id }, data: { dueAt, lastError: error } });
}

/** Deletes old notices that are not due any more. Returns their number. */
export async function deleteSettledNotices({ prisma }: Connection, createdBefore: Date): Promise<number> {
  const { count } = await prisma.operatorNotice.deleteMany({ where: { dueAt: null, createdAt: { lt: createdBefore } } });
  return count;
}

/** Returns the number of notices whose last post failed, and one of the errors. */
export async function countLostNotices({ prisma }: Connection): Promise<{ lost: number; lastError: string | null }> {
  const { _count, _max } = await prisma.operatorNotice.aggregate({
    where: { lastError: { not: null } },
    _count: { _all: true },
    _max: { lastError: true },
  });
  return { lost: _count._all, lastError: _max.lastError };
}

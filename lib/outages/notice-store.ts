import { isRecord } from '@/lib/core/is-record';
import type { Connection, Queryable } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';
import { int4, jsonb, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

export type Notice = Awaited<ReturnType<typeof claimNotices>>[number];

export async function insertNotice({ prisma }: Connection, id: string, body: Prisma.InputJsonObject, now: Date): Promise<void> {
  await prisma.operatorNotice.create({ data: { id, body, dueAt: now, createdAt: now } });
}

const CLAIM_NOTICES = statement({
  name: 'claim notices to the operator',
  text: `UPDATE operator_notice SET due_at = $dueAgain, tries = tries + 1 WHERE id IN (
           SELECT id FROM operator_notice WHERE due_at <= $now ORDER BY due_at LIMIT $limit::int FOR UPDATE SKIP LOCKED)
         RETURNING id, body, tries, created_at AS "createdAt"`,
  parameters: { now: timestamptz, dueAgain: timestamptz, limit: int4 },
  columns: {
    id: uuid,
    body: jsonb,
    /** How often the notice was claimed, including this claim. */
    tries: int4,
    createdAt: timestamptz,
  },
});

/** Claims due notices. A notice whose worker dies is due again at `dueAgain`. */
export async function claimNotices(db: Queryable, claim: Parameters<typeof CLAIM_NOTICES.rows>[1]) {
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

export async function countLostNotices({ prisma }: Connection): Promise<{ lost: number; lastError: string | null }> {
  const { _count, _max } = await prisma.operatorNotice.aggregate({
    where: { lastError: { not: null } },
    _count: { _all: true },
    _max: { lastError: true },
  });
  return { lost: _count._all, lastError: _max.lastError };
}

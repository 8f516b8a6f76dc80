import type { Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { environment, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** Returns until when a member has read their notifications, or null if they never marked any as read. */
export async function findMark({ prisma }: Connection, { merchantId, environment }: Scope, userId: string): Promise<Date | null> {
  const where = { merchantId_environment_userId: { merchantId, environment, userId } };
  return (await prisma.alertMark.findUnique({ where, select: { readUntil: true } }))?.readUntil ?? null;
}

const MOVE_MARK = statement({
  name: 'mark notifications as read',
  text: `INSERT INTO alert_mark (merchant_id, environment, user_id, read_until)
         SELECT merchant_id, $environment, user_id, $until FROM membership WHERE merchant_id = $merchantId AND user_id = $userId
         ON CONFLICT (merchant_id, environment, user_id)
         DO UPDATE SET read_until = greatest(alert_mark.read_until, excluded.read_until)`,
  parameters: { merchantId: uuid, environment, userId: uuid, until: timestamptz },
  columns: {},
});

/** Moves a member's mark forward. A page that was loaded earlier cannot move it back. */
export async function moveMark(db: Queryable, { merchantId, environment }: Scope, userId: string, until: Date): Promise<void> {
  await MOVE_MARK.rows(db, { merchantId, environment, userId, until });
}

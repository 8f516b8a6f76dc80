import type { Environment, Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { Told } from './notice-rules';
import type { NoticeTopicName } from './topics';

/** One merchant, one environment, one topic, for one worker until its lease ends. */
export interface Round extends Scope {
  readonly topic: NoticeTopicName;
  readonly leaseUntil: Date;
}

/** Gives every merchant that lacks one its row for each topic, due at once. @param kinds which topic there is where. */
export async function addMissingRounds(
  db: Queryable,
  kinds: readonly { readonly topic: NoticeTopicName; readonly environment: Environment }[],
  now: Date,
): Promise<void> {
  await db.query(
    {
      text: `INSERT INTO notice_round (merchant_id, environment, topic, due_at)
             SELECT p.merchant_id, p.environment, k.topic, $3 FROM unnest($1::text[], $2::environment[]) AS k(topic, environment)
             JOIN merchant_profile p ON p.environment = k.environment
             WHERE NOT EXISTS (SELECT 1 FROM notice_round r
                               WHERE r.merchant_id = p.merchant_id AND r.environment = p.environment AND r.topic = k.topic)
             ON CONFLICT DO NOTHING`,
    },
    [kinds.map(({ topic }) => topic), kinds.map(({ environment }) => environment), now],
  );
}

/** Takes what is due for one worker. */
export async function claimRounds(
  db: Queryable,
  { now, leaseUntil, limit }: { readonly now: Date; readonly leaseUntil: Date; readonly limit: number },
): Promise<Round[]> {
  return db.query<Round>(
    {
      name: 'claim-notice-rounds',
      text: `
WITH taken AS (
  SELECT merchant_id, environment, topic FROM notice_round WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE notice_round r SET due_at = $2 FROM taken t
WHERE r.merchant_id = t.merchant_id AND r.environment = t.environment AND r.topic = t.topic
RETURNING r.merchant_id AS "merchantId", r.environment, r.topic, r.due_at AS "leaseUntil"`,
    },
    [now, leaseUntil, limit],
  );
}

/** @returns what was told, and holds it until the transaction ends; undefined when the lease has run out and another has it. */
export async function lockRound(tx: Queryable, { merchantId, environment, topic, leaseUntil }: Round): Promise<Told | undefined> {
  const [told] = await tx.query<Told>(
    {
      text: `SELECT told_at AS "toldAt", told FROM notice_round
             WHERE merchant_id = $1 AND environment = $2 AND topic = $3 AND due_at = $4 FOR NO KEY UPDATE`,
    },
    [merchantId, environment, topic, leaseUntil],
  );
  return told;
}

/** Writes what was told by now, and when to look again. */
export async function settleRound(
  tx: Queryable,
  { merchantId, environment, topic }: Round,
  { toldAt, told, dueAt }: Told & { readonly dueAt: Date },
): Promise<void> {
  await tx.query(
    { text: 'UPDATE notice_round SET told_at = $4, told = $5, due_at = $6 WHERE merchant_id = $1 AND environment = $2 AND topic = $3' },
    [merchantId, environment, topic, toldAt, told, dueAt],
  );
}

import type { Environment, Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { array, environment, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { NoticeState } from './rules';
import { isNoticeTopic, type NoticeTopicName } from './topics';

/** A periodic check of one topic, merchant and environment, leased to one worker. */
export interface NoticeRound extends Scope {
  readonly topic: NoticeTopicName;
  readonly leaseUntil: Date;
}

const ADD_MISSING_ROUNDS = statement({
  name: 'add missing notice rounds',
  text: `INSERT INTO notice_round (merchant_id, environment, topic, due_at)
         SELECT p.merchant_id, p.environment, k.topic, $now FROM unnest($topics::text[], $environments::environment[]) AS k(topic, environment)
         JOIN merchant_profile p ON p.environment = k.environment
         WHERE NOT EXISTS (SELECT 1 FROM notice_round r
                           WHERE r.merchant_id = p.merchant_id AND r.environment = p.environment AND r.topic = k.topic)
         ON CONFLICT DO NOTHING`,
  parameters: { topics: array(text), environments: array(environment), now: timestamptz },
  columns: {},
});

/** Inserts the missing rounds of all merchants, due at once. `kinds`: the topics of each environment. */
export async function addMissingRounds(
  db: Queryable,
  kinds: readonly { readonly topic: NoticeTopicName; readonly environment: Environment }[],
  now: Date,
): Promise<void> {
  const topics = kinds.map(({ topic }) => topic);
  const environments = kinds.map(({ environment }) => environment);
  await ADD_MISSING_ROUNDS.rows(db, { topics, environments, now });
}

const CLAIM_ROUNDS = statement({
  name: 'claim-notice-rounds',
  prepared: true,
  text: `
WITH taken AS (
  SELECT merchant_id, environment, topic FROM notice_round WHERE due_at <= $now ORDER BY due_at LIMIT $limit::int FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE notice_round r SET due_at = $leaseUntil FROM taken t
WHERE r.merchant_id = t.merchant_id AND r.environment = t.environment AND r.topic = t.topic
RETURNING r.merchant_id AS "merchantId", r.environment, r.topic, r.due_at AS "leaseUntil"`,
  parameters: { now: timestamptz, leaseUntil: timestamptz, limit: int4 },
  columns: { merchantId: uuid, environment, topic: text, leaseUntil: timestamptz },
});

export async function claimRounds(db: Queryable, claim: Parameters<typeof CLAIM_ROUNDS.rows>[1]): Promise<NoticeRound[]> {
  const rounds = await CLAIM_ROUNDS.rows(db, claim);
  // A newer version of Bili may have stored topics that this version does not know. They are left out.
  return rounds.flatMap(({ topic, ...round }) => (isNoticeTopic(topic) ? [{ ...round, topic }] : []));
}

const LOCK_ROUND = statement({
  name: 'lock a notice round',
  text: `SELECT told_at AS "toldAt", told FROM notice_round
         WHERE merchant_id = $merchantId AND environment = $environment AND topic = $topic AND due_at = $leaseUntil FOR NO KEY UPDATE`,
  parameters: { merchantId: uuid, environment, topic: text, leaseUntil: timestamptz },
  columns: { toldAt: nullable(timestamptz), told: array(text) },
});

/** Locks a round until the transaction ends and returns its state, or undefined if another worker has taken the round over. */
export async function lockRound(tx: Queryable, round: NoticeRound): Promise<NoticeState | undefined> {
  return LOCK_ROUND.first(tx, round);
}

/** Stores the new state of a round and when it is due again. */
export async function settleRound(
  { prisma }: Connection,
  { merchantId, environment, topic }: NoticeRound,
  { toldAt, told, dueAt }: NoticeState & { readonly dueAt: Date },
): Promise<void> {
  await prisma.noticeRound.updateMany({ where: { merchantId, environment, topic }, data: { toldAt, told: [...told], dueAt } });
}

import { dashboardPath } from '@/lib/identity/accounts/access/grant-access';
import { findRecipients } from '@/lib/identity/merchants/notify-store';
import { reach } from '@/lib/platform/config/fail-point';
import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection } from '@/lib/platform/db/database';
import { noticeRound } from '@/lib/platform/db/generated/tables';
import { array, environment, int4, pick, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Locale } from '@/lib/platform/i18n/locale';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { decideNotice, type NoticeState } from './rules';
import { isNoticeTopic, NOTICE_KINDS, NOTICE_TOPICS, type NoticeTopicName } from './topics';

/** The lease of a worker lasts longer than a check ever takes. */
const LEASE_MS = 2 * MINUTE_MS;

/** A periodic check of one topic, merchant and environment, leased to one worker. */
interface NoticeRound extends Scope {
  readonly topic: NoticeTopicName;
  readonly leaseUntil: Date;
}

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings' | 'secrets'>;

/** Inserts the missing rounds of all merchants, due at once. */
const ADD_MISSING_ROUNDS = statement({
  name: 'add missing notice rounds',
  text: `INSERT INTO notice_round (merchant_id, environment, topic, due_at)
         SELECT p.merchant_id, p.environment, k.topic, $now FROM unnest($topics::text[], $environments::environment[]) AS k(topic, environment)
         JOIN merchant_profile p ON p.environment = k.environment
         WHERE NOT EXISTS (SELECT 1 FROM notice_round r
                           WHERE r.merchant_id = p.merchant_id AND r.environment = p.environment AND r.topic = k.topic)
         ON CONFLICT DO NOTHING`,
  parameters: { topics: array(text), environments: array(environment), now: timestamptz },
});

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
  columns: { ...pick(noticeRound, 'merchantId environment topic'), leaseUntil: noticeRound.dueAt },
});

/**
 * Claims due notice rounds. A round is the check of one topic of one merchant. Claims no round if no mail server is set up. Any number of
 * workers may call this at the same time.
 */
export async function claimNoticeRounds({ db, clock, settings }: Needs, limit: number): Promise<NoticeRound[]> {
  if (!settings.mail) return [];
  const now = clock();
  const claimed = await CLAIM_ROUNDS.rows(db, { now, leaseUntil: addMs(now, LEASE_MS), limit });
  // A newer version of Bili may have stored topics that this version does not know. They are left out.
  const rounds = claimed.flatMap(({ topic, ...round }) => (isNoticeTopic(topic) ? [{ ...round, topic }] : []));
  if (rounds.length > 0) reach('notice.claimed');
  if (rounds.length < limit) {
    const kinds = { topics: NOTICE_KINDS.map(({ topic }) => topic), environments: NOTICE_KINDS.map((kind) => kind.environment) };
    await ADD_MISSING_ROUNDS.rows(db, { ...kinds, now });
  }
  return rounds;
}

/** Locks a round until the transaction ends. Finds nothing if another worker has taken the round over. */
const LOCK_ROUND = statement({
  name: 'lock a notice round',
  text: `SELECT told_at AS "toldAt", told FROM notice_round
         WHERE merchant_id = $merchantId AND environment = $environment AND topic = $topic AND due_at = $leaseUntil FOR NO KEY UPDATE`,
  parameters: { ...pick(noticeRound, 'merchantId environment topic'), leaseUntil: timestamptz },
  columns: pick(noticeRound, 'toldAt told'),
});

/**
 * Checks one topic of one merchant and queues a mail if there are new items. The mail and the new state are stored in one
 * transaction, so that no notice is sent twice.
 */
export async function runNoticeRound(runtime: Needs, round: NoticeRound): Promise<void> {
  const { merchantId, environment, topic } = round;
  const { nextCheck, gapMs, find } = NOTICE_TOPICS[topic];
  const merchant = await findRecipients(runtime.db, merchantId, topic);
  const found = merchant && merchant.addresses.length > 0 ? await find(runtime, round) : null;
  await runtime.db.transaction(async (tx) => {
    const state = await LOCK_ROUND.first(tx, round);
    if (!state) return;
    const now = runtime.clock();
    const dueAt = nextCheck(now);
    // Without recipients, only the time of the next check changes. So items that appear now are still new for later recipients.
    if (!merchant || !found) return settleRound(tx, round, { ...state, dueAt });
    const { newIds, ...after } = decideNotice(state, found.ids, gapMs, now);
    await settleRound(tx, round, { ...after, dueAt });
    if (newIds.size === 0) return;
    const base = runtime.settings.LIVE_BASE_URL.origin;
    const page = (name: string) => base + dashboardPath({ slug: merchant.slug, environment, page: name });
    const context = { merchant: merchant.name, environment, page };
    const { addresses: to, language } = merchant;
    const write = (locale: Locale) => found.write(newIds, context, locale);
    await queueMail(runtime, { to, kind: `notice_${topic}`, merchantId, language, write }, tx);
    reach('notice.queued');
  });
}

/** Stores the new state of a round and when it is due again. */
async function settleRound(
  { prisma }: Connection,
  { merchantId, environment, topic }: NoticeRound,
  { toldAt, told, dueAt }: NoticeState & { readonly dueAt: Date },
): Promise<void> {
  await prisma.noticeRound.updateMany({ where: { merchantId, environment, topic }, data: { toldAt, told: [...told], dueAt } });
}

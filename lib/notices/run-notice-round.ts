import { dashboardPath } from '@/lib/accounts/access/grant-access';
import { reach } from '@/lib/config/fail-point';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { queueMail, writeMail } from '@/lib/mail/queue-mail';
import { findRecipients } from '@/lib/merchants/notify-store';
import type { Runtime } from '@/lib/runtime/runtime';
import { decideNotice } from './rules';
import { addMissingRounds, claimRounds, lockRound, type NoticeRound, settleRound } from './store';
import { NOTICE_KINDS, NOTICE_TOPICS } from './topics';

/** The lease of a worker lasts longer than a check ever takes. */
const LEASE_MS = 2 * MINUTE_MS;

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings' | 'secrets'>;

/**
 * Claims due notice rounds. A round is the check of one topic of one merchant. Claims no round if no mail server is set up. Any number of
 * workers may call this at the same time.
 */
export async function claimNoticeRounds({ db, clock, settings }: Needs, limit: number): Promise<NoticeRound[]> {
  if (!settings.mail) return [];
  const now = clock();
  const rounds = await claimRounds(db, { now, leaseUntil: addMs(now, LEASE_MS), limit });
  if (rounds.length > 0) reach('notice.claimed');
  if (rounds.length < limit) await addMissingRounds(db, NOTICE_KINDS, now);
  return rounds;
}

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
    const state = await lockRound(tx, round);
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
    const mail = writeMail(merchant.language, (locale) => found.write(newIds, context, locale));
    await queueMail(runtime, { ...mail, to: merchant.addresses, kind: `notice_${topic}`, merchantId }, tx);
    reach('notice.queued');
  });
}

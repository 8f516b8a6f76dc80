import { dashboardPath } from '@/lib/accounts/access/grant-access';
import { reach } from '@/lib/config/fail-point';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { queueMail } from '@/lib/mail/queue-mail';
import { writeMail } from '@/lib/mail/write-mail';
import { findMerchantToTell } from '@/lib/merchants/notify-store';
import type { Runtime } from '@/lib/runtime/runtime';
import { judgeNews } from './notice-rules';
import { addMissingRounds, claimRounds, lockRound, type Round, settleRound } from './store';
import { NOTICE_KINDS, NOTICE_TOPICS } from './topics';

/** Longer than a check ever takes. */
const LEASE_MS = 2 * MINUTE_MS;

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings' | 'secrets'>;

/** Claims due rounds. Claims none if no mail server is set up. Any number of workers may call this. */
export async function claimNews({ db, clock, settings }: Needs, limit: number): Promise<Round[]> {
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
export async function tellNews(runtime: Needs, round: Round): Promise<void> {
  const { merchantId, environment, topic } = round;
  const { nextLook, gapMs, find } = NOTICE_TOPICS[topic];
  const merchant = await findMerchantToTell(runtime.db, merchantId, topic);
  const found = merchant && merchant.addresses.length > 0 ? await find(runtime, round) : null;
  await runtime.db.transaction(async (tx) => {
    const told = await lockRound(tx, round);
    if (!told) return;
    const now = runtime.clock();
    const dueAt = nextLook(now);
    // Items that appear while a topic has no recipients stay new for later recipients.
    if (!merchant || !found) return settleRound(tx, round, { ...told, dueAt });
    const { news, ...after } = judgeNews(told, found.ids, gapMs, now);
    await settleRound(tx, round, { ...after, dueAt });
    if (news.size === 0) return;
    const base = runtime.settings.LIVE_BASE_URL.origin;
    const page = (name: string) => base + dashboardPath({ slug: merchant.slug, environment, page: name });
    const place = { merchant: merchant.name, environment, page };
    const mail = writeMail(merchant.language, (locale) => found.write(news, place, locale));
    await queueMail(runtime, { ...mail, to: merchant.addresses, kind: `notice_${topic}`, merchantId }, tx);
    reach('notice.queued');
  });
}

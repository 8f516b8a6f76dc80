import { dashboardPath, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import type { Queryable } from '@/lib/db/database';
import { translator } from '@/lib/i18n/translator';
import { queueMail, writeMail } from '@/lib/mail/queue-mail';
import { findRecipients } from '@/lib/merchants/notify-store';
import type { Runtime } from '@/lib/runtime/runtime';

interface RemovedRecipientsOptions {
  /** The recipients of notices about keys and team before the change. */
  readonly before: readonly string[];
}

/**
 * Queues a mail to all recipients who no longer get notices about keys and team, in the transaction that removes them. An attacker
 * would remove these recipients first to stay unnoticed.
 */
export async function notifyRemovedRecipients(
  runtime: Pick<Runtime, 'clock' | 'random' | 'settings' | 'secrets'>,
  tx: Queryable,
  { merchant: { slug }, user, actor: { address }, scope: { merchantId, environment } }: MerchantAccess,
  { before }: RemovedRecipientsOptions,
): Promise<void> {
  const merchant = await findRecipients(tx, merchantId, 'security');
  const to = before.filter((one) => !merchant?.addresses.includes(one));
  if (!merchant || to.length === 0) return;
  const page = `${runtime.settings.LIVE_BASE_URL.origin}${dashboardPath({ slug, environment, page: 'settings' })}#notify`;
  const facts = { merchant: merchant.name, who: address === null ? user.email : `${user.email} (${address})`, page };
  const mail = writeMail(merchant.language, (locale) => {
    const t = translator(locale, 'NoticeMail');
    return { subject: t('dropped_subject', facts), text: `${t('dropped_text', facts)}\n` };
  });
  await queueMail(runtime, { ...mail, to, kind: 'notice_security', merchantId }, tx);
}

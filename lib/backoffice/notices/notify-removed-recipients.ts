import { dashboardPath, type MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { findRecipients } from '@/lib/identity/merchants/notify-store';
import type { Queryable } from '@/lib/platform/db/database';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import type { Runtime } from '@/lib/platform/runtime/runtime';

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
  const write = (locale: Locale) => {
    const t = translator(locale, 'NoticeMail');
    return { subject: t('dropped_subject', facts), text: `${t('dropped_text', facts)}\n` };
  };
  await queueMail(runtime, { to, kind: 'notice_security', merchantId, language: merchant.language, write }, tx);
}

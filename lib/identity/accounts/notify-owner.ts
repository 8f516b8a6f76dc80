import type { Queryable } from '@/lib/platform/db/database';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import type { Runtime } from '@/lib/platform/runtime/runtime';

/** The changes of an account that its owner is notified of, so that nobody else can make them unnoticed (ASVS 5.0, 6.3.7). */
type AccountNotice = 'passwordChanged' | 'secondFactorOn' | 'secondFactorOff' | 'codesRenewed' | 'emailChanged' | 'codesRefused';

/** The message key of the last paragraph of each mail, which says what to do if the owner did not make the change. */
const CLOSINGS = {
  passwordChanged: 'notYou',
  secondFactorOn: 'notYou',
  secondFactorOff: 'notYou',
  codesRenewed: 'notYou',
  emailChanged: 'notYouEmail',
  codesRefused: 'notYouCodes',
} as const satisfies Readonly<Record<AccountNotice, string>>;

/**
 * Queues a mail to the account's owner in the transaction of a change. The mail is in both languages, because Bili does not know which one
 * the owner speaks.
 */
export async function notifyOwner(
  runtime: Pick<Runtime, 'settings' | 'secrets' | 'clock' | 'random'>,
  email: string,
  news: AccountNotice,
  tx: Queryable,
): Promise<void> {
  const address = runtime.settings.LIVE_BASE_URL.origin;
  const write = (locale: Locale) => {
    const t = translator(locale, 'AccountMail');
    const text = `${t(`${news}Text`, { email, address })}\n\n${t(CLOSINGS[news], { forgot: `${address}/forgot` })}\n`;
    return { subject: t(`${news}Subject`), text };
  };
  await queueMail(runtime, { to: [email], kind: 'account_changed', merchantId: null, language: null, write }, tx);
}

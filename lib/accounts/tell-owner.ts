import type { Queryable } from '@/lib/db/database';
import { LOCALES, translator } from '@/lib/i18n/translator';
import { queueMail } from '@/lib/mail/queue-mail';
import type { Runtime } from '@/lib/runtime/runtime';

/** What an account's owner is told, so that nobody else can do it unnoticed (ASVS 5.0, 6.3.7). */
type AccountNews = 'passwordChanged' | 'secondFactorOn' | 'secondFactorOff' | 'codesRenewed' | 'emailChanged' | 'codesRefused';

/** What they can do where it was not they. */
const CLOSINGS = {
  passwordChanged: 'notYou',
  secondFactorOn: 'notYou',
  secondFactorOff: 'notYou',
  codesRenewed: 'notYou',
  emailChanged: 'notYouEmail',
  codesRefused: 'notYouCodes',
} as const satisfies Readonly<Record<AccountNews, string>>;

/** Owes an account's owner a mail about a change, in the transaction of that change. In both languages: nobody knows who reads it. */
export async function tellOwner(
  runtime: Pick<Runtime, 'settings' | 'secrets' | 'clock' | 'random'>,
  email: string,
  news: AccountNews,
  tx: Queryable,
): Promise<void> {
  const address = runtime.settings.LIVE_BASE_URL.origin;
  const texts = LOCALES.map((locale) => translator(locale, 'AccountMail'));
  await queueMail(
    runtime,
    {
      to: [email],
      subject: texts.map((t) => t(`${news}Subject`)).join(' / '),
      text: texts
        .map((t) => `${t(`${news}Text`, { email, address })}\n\n${t(CLOSINGS[news], { forgot: `${address}/forgot` })}\n`)
        .join('\n—\n\n'),
      kind: 'account_changed',
      merchantId: null,
    },
    tx,
  );
}

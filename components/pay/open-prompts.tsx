import { isNetwork, WALLET_MENUS } from '@/lib/core/network';
import { formatClock, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { OpenPrompt } from '@/lib/payments/page/pay-state';
import type { PayFormOffer, PayPage } from '@/lib/payments/page/show-pay-page';
import { shownMobile } from './describe-state';
import { walletOf } from './network-field';

interface PromptHelpProps {
  readonly prompt: OpenPrompt;
  readonly form: PayFormOffer | null;
  readonly locale: Locale;
}

/**
 * Help for a customer who sees no prompt: three things to check, and what else the customer can do while the prompt can still be approved.
 * The USSD code of the wallet's menu reveals the network of the number. So only the device that requested the prompt shows this code.
 */
export function PromptHelp({ prompt, form, locale }: PromptHelpProps) {
  const t = translator(locale, 'Pay');
  const { attempt, own, times } = prompt;
  const about = { mobile: shownMobile(prompt), amount: formatMoney(attempt.amount) };
  // A line must not end within `M-Pesa`.
  const wallet = walletOf(attempt.network).replace('-', '\u2011');
  const code = own && isNetwork(attempt.network) ? WALLET_MENUS[attempt.network] : undefined;
  return (
    <section className="card">
      <h2>{t('helpTitle')}</h2>
      <ol>
        <li>{code ? t('helpPhoneMenu', { code }) : t('helpPhone')}</li>
        <li>{own ? t('helpNumber', { ...about, wallet }) : t('helpNumberOnly', about)}</li>
        <li>{code ? t('helpBalanceMenu', { ...about, code }) : t('helpBalance', about)}</li>
      </ol>
      <details id="more">
        <summary>{t('helpMore')}</summary>
        {times && <p>{t('helpAgain', { time: formatClock(times.until) })}</p>}
        <p>{form ? t('helpOtherNow', { amount: formatMoney(form.payable) }) : t('helpOther')}</p>
        <p>{t('helpPin')}</p>
      </details>
    </section>
  );
}

/** Open attempts from other devices. Several people can pay one bill at the same time, and each attempt reserves its amount. */
export function OtherPhones({ page: { others, form }, locale }: { readonly page: PayPage; readonly locale: Locale }) {
  const t = translator(locale, 'Pay');
  if (others.length === 0) return null;
  return (
    <section className="card">
      <h2>{t('othersTitle')}</h2>
      <ul>
        {others.map((prompt) => (
          <li key={prompt.attempt.id}>{describe(prompt, locale)}</li>
        ))}
      </ul>
      {others.some(({ kind }) => kind === 'prompted') && <p>{t('othersYours')}</p>}
      {form && (
        <p>
          <b>{t('payableNow', { amount: formatMoney(form.payable) })}</b>
        </p>
      )}
    </section>
  );
}

function describe(prompt: OpenPrompt, locale: Locale): string {
  const t = translator(locale, 'Pay');
  const about = { mobile: shownMobile(prompt), amount: formatMoney(prompt.attempt.amount) };
  if (prompt.excessive) return t('otherExcessive', about);
  if (prompt.kind === 'queued') return t('otherQueued', about);
  if (prompt.kind === 'unknown') return t('otherUnknown', about);
  return prompt.times ? t('otherPromptedUntil', { ...about, time: formatClock(prompt.times.until) }) : t('otherPrompted', about);
}

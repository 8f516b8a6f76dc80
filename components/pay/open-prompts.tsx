import { formatClock, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { OpenPrompt } from '@/lib/payments/page/pay-state';
import type { PayFormOffer, PayPage } from '@/lib/payments/page/show-pay-page';
import { shownMobile } from './describe-state';
import { walletOf } from './network-field';

interface PromptHelpProps {
  readonly prompt: OpenPrompt;
  readonly form: PayFormOffer | null;
  readonly locale: Locale;
}

/** Help for a customer who sees no prompt: what to check, and what is possible while the prompt can still be approved. */
export function PromptHelp({ prompt, form, locale }: PromptHelpProps) {
  const t = translator(locale, 'Pay');
  const { attempt, own, times } = prompt;
  const mobile = shownMobile(prompt);
  return (
    <section className="card">
      <h2>{t('helpTitle')}</h2>
      <ul>
        <li>{t('helpPhone')}</li>
        <li>{own ? t('helpNumber', { mobile, wallet: walletOf(attempt.network) }) : t('helpNumberOnly', { mobile })}</li>
        <li>{t('helpBalance', { amount: formatMoney(attempt.amount) })}</li>
        <li>{t('helpPin')}</li>
      </ul>
      <h2>{t('helpAgainTitle')}</h2>
      {times && <p>{t('helpAgain', { time: formatClock(times.until) })}</p>}
      <h2>{t('helpOtherTitle')}</h2>
      <p>{form ? t('helpOtherNow', { amount: formatMoney(form.payable) }) : t('helpOther')}</p>
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

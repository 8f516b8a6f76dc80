import { formatClock, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { OpenPrompt } from '@/lib/payments/page/pay-state';
import type { PayPage } from '@/lib/payments/page/show-pay-page';
import { shownMobile } from './describe-state';

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

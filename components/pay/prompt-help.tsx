import { formatClock, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { OpenPrompt } from '@/lib/payments/page/pay-state';
import type { PayFormOffer } from '@/lib/payments/page/show-pay-page';
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

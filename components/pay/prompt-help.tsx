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
      <ManualSteps prompt={prompt} locale={locale} />
    </section>
  );
}

/** The steps to pay from the wallet's own menu, if the provider supports payments without a prompt. */
function ManualSteps({ prompt: { attempt, byHand }, locale }: { readonly prompt: OpenPrompt; readonly locale: Locale }) {
  const t = translator(locale, 'Pay');
  if (!byHand) return null;
  return (
    <>
      <h2>{t('byHandTitle', { wallet: walletOf(attempt.network) })}</h2>
      <ol>
        <li>{t('byHandRefuse')}</li>
        <li>{t('byHandDial', { dial: byHand.dial })}</li>
        <li>{t('byHandBusiness', { business: byHand.business })}</li>
        <li>{t('byHandReference', { reference: attempt.ourReference })}</li>
        <li>{t('byHandAmount', { amount: formatMoney(attempt.amount) })}</li>
      </ol>
    </>
  );
}

import type { ReactNode } from 'react';
import { remainingAmount } from '@/lib/bills/rules';
import { toWholeShillings } from '@/lib/core/money';
import { formatMoney, groupDigits } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { PayFormOffer, PayPage } from '@/lib/payments/page/show-pay-page';
import type { AmountChoice } from '@/lib/payments/prompts/choose-amount';
import { USUAL_LIMIT } from '@/lib/payments/prompts/wallet-limits';
import { HiddenFields, LockNote } from './form-parts';
import { type FormProblem, type FormValues, problemText } from './form-problem';
import { DownNetworks, NetworkField, networkOfMobile } from './network-field';

interface PayFormProps {
  readonly page: PayPage;
  readonly form: PayFormOffer;
  readonly values: FormValues;
  readonly wrong: FormProblem | null;
  readonly locale: Locale;
}

/**
 * The form for the mobile number, the network, and the amount if the customer can choose it. It has a field for the network, because a
 * ported number keeps the prefix of its old network. Only necessary fields are above the button, so it is on the first screen of a phone.
 */
export function PayForm({ page, form, values, wrong, locale }: PayFormProps) {
  const t = translator(locale, 'Pay');
  const { amounts, payable, prefixes } = form;
  const field = wrong && (wrong.problem.field === 'amount' && !amounts ? 'mobile' : wrong.problem.field);
  const problem = wrong && (
    <p id="problem" className="error" role="alert">
      {problemText(wrong, page, locale)}
    </p>
  );
  return (
    <form className="card" method="post" action="/pay" data-prefixes={prefixes}>
      <HiddenFields page={page} form={form} locale={locale} />
      {page.offer && <DownNetworks offer={page.offer} locale={locale} />}
      {amounts ? (
        <AmountField
          choice={amounts}
          value={values.amount ?? groupDigits(toWholeShillings(amounts.proposed))}
          problem={field === 'amount' && problem}
          locale={locale}
        />
      ) : (
        // The amount that the button names. If it has changed when the form is sent, the customer must confirm the new amount.
        <input type="hidden" name="amount" value={toWholeShillings(payable).toString()} />
      )}
      <label htmlFor="mobile">{t('mobileLabel')}</label>
      <input
        id="mobile"
        name="mobile"
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        required
        maxLength={40}
        defaultValue={values.mobile}
        aria-describedby={field === 'mobile' ? 'problem' : 'hint'}
        aria-invalid={field === 'mobile' ? true : undefined}
      />
      {field === 'mobile' ? (
        problem
      ) : (
        <p id="hint" className="hint">
          {t('mobileHint')}
        </p>
      )}
      <NetworkField
        networks={page.offer?.networks ?? []}
        chosen={values.chosen}
        guessed={networkOfMobile(values.mobile, prefixes)}
        problem={field === 'network' && problem}
        locale={locale}
      />
      {payable > remainingAmount(page.bill) && <p className="small">{t('roundedNote')}</p>}
      {amounts ? (
        // The script replaces `#` by the amount that the customer types.
        <button type="submit" id="pay" data-pay={t('payButton', { amount: 'TZS\u00a0#' })}>
          {t('payAmountButton')}
        </button>
      ) : (
        <button type="submit">{t('payButton', { amount: formatMoney(payable) })}</button>
      )}
      <LockNote locale={locale} />
      <label className="check">
        <input type="checkbox" id="remember" name="remember" value="1" defaultChecked={values.remember} />
        <span>{t('remember')}</span>
      </label>
      <p className="small">{t('feeNote')}</p>
    </form>
  );
}

interface AmountFieldProps {
  readonly choice: AmountChoice;
  readonly value: string;
  readonly problem: ReactNode;
  readonly locale: Locale;
}

function AmountField({ choice, value, problem, locale }: AmountFieldProps) {
  const t = translator(locale, 'Pay');
  return (
    <>
      <label htmlFor="amount">{t('amountLabel')}</label>
      <input
        id="amount"
        name="amount"
        type="text"
        inputMode="numeric"
        autoComplete="off"
        required
        maxLength={30}
        defaultValue={value}
        aria-describedby={problem ? 'problem amount-hint' : 'amount-hint'}
        aria-invalid={problem ? true : undefined}
      />
      {problem}
      <p id="amount-hint" className="hint">
        {t('amountHint', { min: formatMoney(choice.min), max: formatMoney(choice.max) })}{' '}
        {choice.max > USUAL_LIMIT && t('amountAboveUsual', { limit: formatMoney(USUAL_LIMIT) })}
      </p>
    </>
  );
}

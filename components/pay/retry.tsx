import { formatMobile } from '@/lib/core/mobile';
import { toWholeShillings } from '@/lib/core/money';
import { formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { PayFormOffer, PayPage } from '@/lib/payments/page/show-pay-page';
import { HiddenFields, LockNote } from './form-parts';
import type { FormValues } from './form-problem';

interface RetryProps {
  readonly page: PayPage;
  readonly form: PayFormOffer;
  readonly values: FormValues;
  readonly locale: Locale;
}

/** One button that repeats the last request with the same number and network. The amount is also the same if it is still possible. */
export function Retry({ page, form, values, locale }: RetryProps) {
  const t = translator(locale, 'Pay');
  if (!form.again) return null;
  const { again, amounts, payable } = form;
  const mobile = formatMobile(again.mobile);
  const amount = amounts === null ? payable : again.amount <= amounts.max ? again.amount : amounts.proposed;
  return (
    <form method="post" action="/pay">
      <HiddenFields page={page} form={form} locale={locale} />
      <input type="hidden" name="mobile" value={again.mobile} />
      <input type="hidden" name="amount" value={toWholeShillings(amount).toString()} />
      {values.chosen && <input type="hidden" name="network" value={values.chosen} />}
      {values.remember && <input type="hidden" name="remember" value="1" />}
      <button type="submit">{amounts ? t('retryAmount', { mobile, amount: formatMoney(amount) }) : t('retry', { mobile })}</button>
      <LockNote locale={locale} />
    </form>
  );
}

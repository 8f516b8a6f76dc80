import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { PayFormOffer, PayPage } from '@/lib/payments/page/show-pay-page';
import { Icon } from './icon';

interface HiddenFieldsProps {
  readonly page: PayPage;
  readonly form: PayFormOffer;
  readonly locale: Locale;
}

/** What every form of the page sends: the bill, the language and the id by which a repeated submission is recognised. */
export function HiddenFields({ page, form, locale }: HiddenFieldsProps) {
  return (
    <>
      <input type="hidden" name="bill" value={page.bill.id} />
      <input type="hidden" name="lang" value={locale} />
      <input type="hidden" name="form" value={form.id} autoComplete="off" />
    </>
  );
}

/** Says that this page never asks for the PIN, so that customers recognise fraudulent pages, which do ask for it. */
export function LockNote({ locale }: { readonly locale: Locale }) {
  return (
    <p className="small lock">
      <Icon name="lock" />
      <span>{translator(locale, 'Pay')('pinOnPhone')}</span>
    </p>
  );
}

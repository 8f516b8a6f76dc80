import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { PayPage } from '@/lib/payments/page/show-pay-page';

interface ReturnLinkProps {
  readonly page: PayPage;
  readonly locale: Locale;
}

/** Returns whether the next step is the way back to the shop: something is paid and no prompt is open, or the bill is closed. */
function isDone({ bill, state }: PayPage): boolean {
  return state.kind === 'paid' || state.kind === 'overpaid' || state.kind === 'closed' || (state.kind === 'ready' && bill.paidAmount > 0n);
}

/** The button that leads back to the shop, after a payment or on a closed bill. */
export function ReturnButton({ page, locale }: ReturnLinkProps) {
  if (!isDone(page) || page.bill.returnUrl === null) return null;
  return (
    <p className="screen">
      <ShopLink page={page} locale={locale} className="button" />
    </p>
  );
}

/** The small link back to the shop. The page shows it only while it does not show the large `ReturnButton`. */
export function ReturnLink({ page, locale }: ReturnLinkProps) {
  if (isDone(page) || page.bill.returnUrl === null) return null;
  return (
    <p className="small center screen">
      <ShopLink page={page} locale={locale} />
    </p>
  );
}

function ShopLink({ page: { bill }, locale, className }: ReturnLinkProps & { readonly className?: string }) {
  if (bill.returnUrl === null) return null;
  return (
    <a href={withBill(bill.returnUrl, bill.id)} className={className} rel="noreferrer">
      {translator(locale, 'Pay')('backToShop', { merchant: bill.merchantName })}
    </a>
  );
}

/**
 * Adds the bill's id as parameter `bill`, unless the address already has a parameter of this name. The address does not say whether the
 * bill is paid: the shop reads the state from the API.
 */
function withBill(address: string, id: string): string {
  const url = new URL(address);
  if (!url.searchParams.has('bill')) url.search = `${url.search === '' ? '?' : `${url.search}&`}bill=${id}`;
  return url.href;
}

import { Fact, Facts } from '@/components/ui/facts';
import { Card } from '@/components/ui/layout';
import type { BillView } from '@/lib/bills/page/show-bill';
import { isOverpaid, overpaidAmount } from '@/lib/bills/rules';
import { formatInstant, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';

/** The data and the amounts of a bill. */
export function FactsCard({ view, locale }: { readonly view: BillView; readonly locale: Locale }) {
  const t = translator(locale, 'Bill');
  const { bill, remaining, webPayUrl } = view;
  return (
    <Card id="facts" title={t('facts')}>
      <Facts narrow>
        <Fact term={t('amount')}>{formatMoney(bill.amount)}</Fact>
        <Fact term={t('paid')}>{formatMoney(bill.paidAmount)}</Fact>
        {isOverpaid(bill) ? (
          <Fact term={t('overpaid')}>{formatMoney(overpaidAmount(bill))}</Fact>
        ) : (
          <Fact term={t('remaining')}>{formatMoney(remaining)}</Fact>
        )}
        <Fact term={t('mobile')}>{bill.mobile ?? t('noMobile')}</Fact>
        <Fact term={t('reference')}>{bill.reference}</Fact>
        <Fact term={t('created')}>{formatInstant(bill.createdAt, locale)}</Fact>
        {bill.status === 'FULLY_PAID' && bill.paidAt && <Fact term={t('paidAt')}>{formatInstant(bill.paidAt, locale)}</Fact>}
        <Fact term={t('id')}>{bill.id}</Fact>
        <Fact term={t('payPage')}>
          <a href={webPayUrl} className="text-brand underline underline-offset-2">
            {t('openPayPage')}
          </a>
        </Fact>
      </Facts>
    </Card>
  );
}

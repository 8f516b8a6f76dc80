import { Receipt } from '@/components/pay/receipt';
import { isOverpaid, overpaidAmount, remainingAmount } from '@/lib/bills/rules';
import { formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { PayPage } from '@/lib/payments/page/show-pay-page';
import type { Receipt as ReceiptFacts } from '@/lib/receipts/show-receipt';
import { Fact, PayShell } from '../pay-shell';
import { ShareLinks } from './share-links';

interface ReceiptDocumentProps {
  readonly bill: PayPage['bill'];
  readonly receipt: ReceiptFacts;
  /** The public address of the bill's page. */
  readonly webPayUrl: string;
  readonly locale: Locale;
}

/** A printable receipt for a bill that is paid in full or in part. */
export function ReceiptDocument({ bill, receipt, webPayUrl, locale }: ReceiptDocumentProps) {
  const t = translator(locale, 'Receipt');
  const pay = translator(locale, 'Pay');
  const verify = translator(locale, 'Verify');
  const remaining = remainingAmount(bill);
  const here = `/pay?bill=${bill.id}&show=receipt`;
  return (
    <PayShell
      locale={locale}
      title={t('title', { merchant: bill.merchantName })}
      version={`receipt.${bill.paidAmount}`}
      otherLanguage={`${here}&lang=${locale === 'sw' ? 'en' : 'sw'}`}
      merchant={bill}
    >
      <h1>{t('heading')}</h1>
      {bill.environment === 'sandbox' && <p className="error">{verify('sandbox')}</p>}
      <section className="card">
        <dl>
          <Fact term={verify('paidTo')}>{bill.merchantName}</Fact>
          <Fact term={pay('reference')}>{bill.reference}</Fact>
          <Fact term={verify('billAmount')}>{formatMoney(bill.amount)}</Fact>
          <Fact term={pay(isOverpaid(bill) ? 'paidInAll' : 'paidSoFar')}>{formatMoney(bill.paidAmount)}</Fact>
          {isOverpaid(bill) && <Fact term={pay('tooMuch')}>{formatMoney(overpaidAmount(bill))}</Fact>}
          {remaining > 0n && <Fact term={pay('remaining')}>{formatMoney(remaining)}</Fact>}
        </dl>
        {isOverpaid(bill) && <p>{t('overpaidText')}</p>}
      </section>
      <Receipt receipt={receipt} locale={locale} />
      <ShareLinks text={t('shareText', { merchant: bill.merchantName, url: `${webPayUrl}&show=receipt` })} locale={locale} />
      <p className="center screen">
        <a href={`/pay?bill=${bill.id}&lang=${locale}`}>{t('backToBill')}</a>
      </p>
    </PayShell>
  );
}

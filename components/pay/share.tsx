import { remainingAmount } from '@/lib/bills/rules';
import { formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { PayPage } from '@/lib/payments/show-pay-page';
import { Fact, PayShell } from './pay-page';
import { PAY_POLLER } from './poller';
import { QrCode } from './qr-code';
import { ShareLinks } from './share-links';

interface ShareDocumentProps {
  readonly page: PayPage;
  /** The bill's page, as anybody can open it. */
  readonly webPayUrl: string;
  readonly locale: Locale;
}

/** What a merchant shows on a counter, or sends: the bill's link as a QR code. It says by itself when the bill is paid. */
export function ShareDocument({ page: { bill, state, version }, webPayUrl, locale }: ShareDocumentProps) {
  const t = translator(locale, 'Share');
  const pay = translator(locale, 'Pay');
  const merchant = bill.merchantName;
  const amount = formatMoney(remainingAmount(bill));
  const paid = bill.status === 'FULLY_PAID';
  const closed = state.kind === 'inactive';
  const here = `/pay?bill=${bill.id}&lang=${locale}`;
  return (
    <PayShell
      locale={locale}
      title={t('title', { merchant })}
      version={version}
      poll={`${here}&part=version`}
      otherLanguage={`/pay?bill=${bill.id}&show=qr&lang=${locale === 'sw' ? 'en' : 'sw'}`}
      merchant={bill}
    >
      {bill.environment === 'sandbox' && <p className="small">{pay('sandboxNote')}</p>}
      {paid && (
        <section className="card good" role="status">
          <h1>{pay('paidTitle')}</h1>
          <p>{pay('paidText', { merchant, amount: formatMoney(bill.paidAmount) })}</p>
        </section>
      )}
      {closed && (
        <section className="card bad" role="status">
          <h1>{pay('inactiveTitle')}</h1>
          <p>{pay('inactiveText', { merchant })}</p>
        </section>
      )}
      {!paid && !closed && (
        <section className="card center">
          <h1>{t('heading')}</h1>
          <QrCode text={webPayUrl} label={t('qrLabel')} large />
          <p className="small">{t('scanHint')}</p>
          {state.kind !== 'ready' && <p role="status">{t('beingPaid')}</p>}
        </section>
      )}
      <section className="card">
        <dl>
          <Fact term={pay('payTo')}>{merchant}</Fact>
          {!paid && <Fact term={t('amountLeft')}>{amount}</Fact>}
          <Fact term={pay('reference')}>{bill.reference}</Fact>
        </dl>
      </section>
      {!paid && !closed && <ShareLinks text={t('billText', { merchant, amount, url: webPayUrl })} locale={locale} />}
      <p className="center screen">
        <a href={here}>{t('openBill')}</a>
        {!paid && (
          <noscript>
            <a href={`${here}&show=qr`}>{pay('checkAgain')}</a>
          </noscript>
        )}
      </p>
      {!paid && <script dangerouslySetInnerHTML={{ __html: PAY_POLLER }} />}
    </PayShell>
  );
}

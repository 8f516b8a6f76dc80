import { Figure, MerchantFact } from '@/components/pay/bill-facts';
import { describeState } from '@/components/pay/describe-state';
import { Icon } from '@/components/pay/icon';
import { QrCode } from '@/components/pay/qr-code';
import { remainingAmount } from '@/lib/bills/rules';
import { formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { PayPage } from '@/lib/payments/page/show-pay-page';
import { Fact, PayShell } from '../pay-shell';
import { SHARE_PARTS, ShareLinks } from './share-links';

interface ShareDocumentProps {
  readonly page: PayPage;
  /** The short address of the bill's page. */
  readonly link: string;
  readonly locale: Locale;
}

/** A page with the bill's link as a QR code, to show on a counter or to send. It updates itself when the bill is paid. */
export function ShareDocument({ page, link, locale }: ShareDocumentProps) {
  const { bill, state, form, others, version } = page;
  const t = translator(locale, 'Share');
  const pay = translator(locale, 'Pay');
  const merchant = bill.merchantName;
  const amount = formatMoney(remainingAmount(bill));
  const paid = bill.status === 'FULLY_PAID';
  const closed = state.kind === 'closed';
  const resting = form === null && !('attempt' in state);
  const words = describeState(page, locale);
  const here = `/pay?bill=${bill.id}&lang=${locale}`;
  return (
    <PayShell
      locale={locale}
      title={t('title', { merchant })}
      version={version}
      here={`${here}&show=qr`}
      pace={paid ? page.pace : 'quick'}
      otherLanguage={`/pay?bill=${bill.id}&show=qr&lang=${locale === 'sw' ? 'en' : 'sw'}`}
      merchant={bill}
      {...SHARE_PARTS}
    >
      {bill.environment === 'sandbox' && <p className="test">{pay('sandboxNote')}</p>}
      {resting && (
        <section className={`card ${words.tone}`}>
          <h1>
            <Icon name={words.icon} />
            <span>{words.title}</span>
          </h1>
          {words.texts.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </section>
      )}
      {!resting && (
        <section className="card center">
          <h1>{t('heading')}</h1>
          <Figure text={amount} label={bill.paidAmount > 0n ? pay('sumRemaining') : null} />
          <QrCode text={link} label={t('qrLabel')} large />
          <p className="small">{t('scanHint')}</p>
          {('attempt' in state || others.length > 0) && <p>{t('beingPaid')}</p>}
        </section>
      )}
      <section className="card">
        <dl>
          <MerchantFact page={page} locale={locale} />
          {resting && !paid && !closed && <Fact term={t('amountLeft')}>{amount}</Fact>}
          <Fact term={pay('reference')}>{bill.reference}</Fact>
        </dl>
      </section>
      {!resting && <ShareLinks text={t('billText', { merchant, amount, reference: bill.reference, url: link })} locale={locale} />}
      <p className="center screen">
        <a href={here}>{t('openBill')}</a>
        {!paid && (
          <noscript>
            <a href={`${here}&show=qr`}>{pay('checkAgain')}</a>
          </noscript>
        )}
      </p>
    </PayShell>
  );
}

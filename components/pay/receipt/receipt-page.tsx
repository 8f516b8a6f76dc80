import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { PayPage } from '@/lib/payments/page/show-pay-page';
import { Icon } from '../icon';
import { Fact, PayShell } from '../pay-shell';
import { pictureAddress } from '../picture-address';
import { QrCode } from '../qr-code';
import { ReceiptNumber } from '../receipt-number';
import { PAPER_STYLE } from './paper-style';
import type { ReceiptView } from './receipt-view';
import { SHARE_PARTS, ShareLinks } from './share-links';
import { STAMPS, stampText } from './stamp';

/** What a receipt's page inlines in addition to the style and script that all public pages share. */
export const RECEIPT_PARTS = { style: PAPER_STYLE + SHARE_PARTS.style, script: SHARE_PARTS.script };

interface ReceiptDocumentProps {
  readonly bill: PayPage['bill'];
  readonly view: ReceiptView;
  /** The short address of the bill's page. */
  readonly link: string;
  readonly locale: Locale;
}

/** A receipt to print, to save as a picture and to send. */
export function ReceiptDocument({ bill, view, link, locale }: ReceiptDocumentProps) {
  const t = translator(locale, 'Receipt');
  const { check } = view;
  return (
    <PayShell
      locale={locale}
      title={t('title', { merchant: bill.merchantName })}
      version={`receipt.${bill.paidAmount}`}
      otherLanguage={`/pay?bill=${bill.id}&show=receipt&lang=${locale === 'sw' ? 'en' : 'sw'}`}
      merchant={bill}
      {...RECEIPT_PARTS}
    >
      <Paper view={view} merchant={bill.merchantName} locale={locale} />
      {check && (
        <p className="screen acts">
          <a className="button" href={pictureAddress(bill, 'receipt', locale)} download={`bili-${check.code}.png`}>
            {t('savePicture')}
          </a>
          <button id="print" type="button" className="button print">
            {t('print')}
          </button>
        </p>
      )}
      {check && <ShareLinks text={t('shareText', { merchant: bill.merchantName, url: `${link}?show=receipt` })} locale={locale} />}
      <p className="center screen">
        <a href={`/pay?bill=${bill.id}&lang=${locale}`}>{t('backToBill')}</a>
      </p>
    </PayShell>
  );
}

interface PaperProps extends Pick<ReceiptDocumentProps, 'view' | 'locale'> {
  readonly merchant: string;
}

function Paper({ view, merchant, locale }: PaperProps) {
  const t = translator(locale, 'Receipt');
  const { stamp, amount, date, facts, payments, check, notes, test } = view;
  return (
    <section className={`paper ${stamp}`}>
      {test && <p className="band">{test}</p>}
      <p className="top">
        <time>{date}</time>
      </p>
      <h1>{t('heading')}</h1>
      <p className="figure">{amount}</p>
      <p className="stamp">
        <Icon name={STAMPS[stamp].icon} />
        <b>{stampText(stamp, locale)}</b>
      </p>
      <dl>
        <Fact term={translator(locale, 'Verify')('paidTo')}>{merchant}</Fact>
        {facts.map(({ term, value }) => (
          <Fact key={term} term={term}>
            {value}
          </Fact>
        ))}
      </dl>
      <h2>{t('payments')}</h2>
      <dl className="payments">
        {payments.map(({ id, number, about, amount: paid }) => (
          <div key={id}>
            <dt>
              <ReceiptNumber number={number} />
              {about.map((line) => (
                <small key={line}>{line}</small>
              ))}
            </dt>
            <dd>{paid}</dd>
          </div>
        ))}
      </dl>
      {check && (
        <div className="check">
          <QrCode text={check.url} label={t('qrLabel', { code: check.code })} />
          <div>
            <h2>{t('codeLabel')}</h2>
            <p className="code">{check.code}</p>
            <p className="small">{check.text}</p>
          </div>
        </div>
      )}
      {notes.map((note) => (
        <p key={note} className="small">
          {note}
        </p>
      ))}
    </section>
  );
}

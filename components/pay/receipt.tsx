import { maskMobile } from '@/lib/core/mobile';
import { formatInstant, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { Receipt as ReceiptFacts } from '@/lib/receipts/show-receipt';
import { QrCode } from './qr-code';
import { ReceiptNumber } from './receipt-number';

export function Receipt({ receipt: { code, verifyUrl, payments }, locale }: { readonly receipt: ReceiptFacts; readonly locale: Locale }) {
  const t = translator(locale, 'Receipt');
  const { host } = new URL(verifyUrl);
  return (
    <section className="card">
      <h2>{t('payments')}</h2>
      <dl className="payments">
        {payments.map(({ id, transactionId, mobile, kept, recordedAt }) => (
          <div key={id}>
            <dt>
              <ReceiptNumber number={transactionId} />
              <small>
                {formatInstant(recordedAt, locale)}
                <br />
                {mobile === null ? t('unknownPayer') : maskMobile(mobile)}
              </small>
            </dt>
            <dd>{formatMoney(kept)}</dd>
          </div>
        ))}
      </dl>
      <h2>{t('codeLabel')}</h2>
      <p className="code">{code}</p>
      <QrCode text={verifyUrl} label={t('qrLabel', { code })} />
      <p className="small">{t('codeText', { address: `${host}/verify` })}</p>
      <p className="small">{translator(locale, 'Pay')('fiscalNote')}</p>
    </section>
  );
}

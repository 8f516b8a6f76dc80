import type { Receipt as ReceiptFacts } from '@/lib/gateway/receipts/show-receipt';
import { isUuid } from '@/lib/platform/core/ids';
import { formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { QrCode } from './qr-code';
import { identifyPayment } from './receipt-view';

export function Receipt({ receipt: { code, verifyUrl, payments }, locale }: { readonly receipt: ReceiptFacts; readonly locale: Locale }) {
  const t = translator(locale, 'Receipt');
  const { host } = new URL(verifyUrl);
  return (
    <section className="card">
      <h2>{t('payments')}</h2>
      <dl className="payments">
        {payments.map((payment) => {
          const { number, payer } = identifyPayment(payment, locale);
          return (
            <div key={payment.id}>
              <dt>
                <ReceiptNumber number={number} />
                <small>
                  {formatInstant(payment.recordedAt, locale)}
                  <br />
                  {payer}
                </small>
              </dt>
              <dd>{formatMoney(payment.kept)}</dd>
            </div>
          );
        })}
      </dl>
      <h2>{t('codeLabel')}</h2>
      <p className="code">{code}</p>
      <QrCode text={verifyUrl} label={t('qrLabel', { code })} />
      <p className="small">{t('codeText', { address: `${host}/verify` })}</p>
      <p className="small">{translator(locale, 'Pay')('fiscalNote')}</p>
    </section>
  );
}

/** A provider's receipt number. Some providers use UUIDs, which nobody reads: they are small and break at their hyphens. */
export function ReceiptNumber({ number }: { readonly number: string }) {
  if (!isUuid(number)) return <b>{number}</b>;
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = number.split('-');
  return (
    <small>
      {first}-<wbr />
      {second}-<wbr />
      {third}-<wbr />
      {fourth}-<wbr />
      {fifth}
    </small>
  );
}

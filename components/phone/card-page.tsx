import { PayShell } from '@/components/pay/pay-shell';
import type { CardPayment } from '@/lib/backoffice/phones/pay-bill';
import { groupDigits } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

interface CardPageProps {
  readonly locale: Locale;
  readonly path: string;
  /** Null if the link is unknown. */
  readonly payment: CardPayment | null;
}

/** The page of the simulated provider on which a customer pays by card. It needs no JavaScript and no card. */
export function CardPage({ locale, path, payment }: CardPageProps) {
  const t = translator(locale, 'CardPayment');
  const version = payment ? `${payment.receipt}${payment.ended}` : 'unknown';
  return (
    <PayShell locale={locale} title={t('title')} version={version} otherLanguage={`${path}?lang=${locale === 'sw' ? 'en' : 'sw'}`}>
      <section className={payment ? 'card' : 'card bad'}>
        <h1>{t('title')}</h1>
        <p>{t('sandbox')}</p>
        {payment ? <Payment locale={locale} path={path} payment={payment} /> : <p>{t('unknown')}</p>}
      </section>
    </PayShell>
  );
}

function Payment({ locale, path, payment }: CardPageProps & { readonly payment: CardPayment }) {
  const t = translator(locale, 'CardPayment');
  const { payee, receipt, ended } = payment;
  const amount = groupDigits(payment.amount);
  if (receipt !== null)
    return (
      <>
        <p role="status">
          <b>{t('paid', { amount, payee, receipt })}</b>
        </p>
        <p>{t('done')}</p>
      </>
    );
  if (ended) return <p role="status">{t('ended')}</p>;
  return (
    <form method="post" action={`${path}?lang=${locale}`}>
      <p>{t('asks', { amount, payee })}</p>
      <button type="submit" name="do" value="card">
        {t('pay', { amount })}
      </button>
    </form>
  );
}

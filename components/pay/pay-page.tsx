import type { ReactNode } from 'react';
import { remainingAmount } from '@/lib/bills/rules';
import { maskMobile } from '@/lib/core/mobile';
import { formatInstant, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { PayPage, PayState } from '@/lib/payments/show-pay-page';
import type { Receipt as ReceiptFacts } from '@/lib/receipts/show-receipt';
import { type BrandedMerchant, brandStyle, MerchantMark } from './brand';
import { type FormProblem, PayForm } from './pay-form';
import { PayLinks } from './pay-links';
import { PAY_POLLER } from './poller';
import { Receipt } from './receipt';
import { stopAddress } from './stop-address';
import { PAY_STYLE } from './style';

interface PayPageProps {
  readonly page: PayPage;
  /** Of what has been paid. */
  readonly receipt: ReceiptFacts | undefined;
  readonly locale: Locale;
  readonly form: FormProblem | null;
  /** Whether the page loads itself again where there is no JavaScript. */
  readonly refresh: boolean;
}

const REFRESH_SECONDS = 10;

/** The web payment page of a bill: HTML that needs no JavaScript and loads nothing. */
export function PayDocument({ page, receipt, locale, form, refresh }: PayPageProps) {
  const { bill, state, version } = page;
  const t = translator(locale, 'Pay');
  const waiting = state.kind === 'queued' || state.kind === 'prompted' || state.kind === 'unknown';
  const here = `/pay?bill=${bill.id}&lang=${locale}`;
  return (
    <PayShell
      locale={locale}
      title={t('title', { merchant: bill.merchantName })}
      version={version}
      poll={`${here}&part=version`}
      otherLanguage={`/pay?bill=${bill.id}&lang=${locale === 'sw' ? 'en' : 'sw'}`}
      merchant={bill}
    >
      {waiting && refresh && (
        <noscript>
          <meta httpEquiv="refresh" content={`${REFRESH_SECONDS};url=${here}`} />
        </noscript>
      )}
      {bill.environment === 'sandbox' && <p className="small">{t('sandboxNote')}</p>}
      <StateCard page={page} locale={locale} state={state} />
      <section className="card">
        <dl>
          <Fact term={t('payTo')}>{bill.merchantName}</Fact>
          <Fact term={t('amount')}>{formatMoney(bill.amount)}</Fact>
          {bill.status === 'PARTIALLY_PAID' && <Fact term={t('paidSoFar')}>{formatMoney(bill.paidAmount)}</Fact>}
          {bill.status === 'PARTIALLY_PAID' && <Fact term={t('remaining')}>{formatMoney(remainingAmount(bill))}</Fact>}
          <Fact term={t('reference')}>{bill.reference}</Fact>
        </dl>
      </section>
      {state.kind === 'paid' && receipt && <Receipt receipt={receipt} locale={locale} />}
      {state.kind === 'ready' && <PayForm page={page} locale={locale} form={form} />}
      {waiting && (
        <>
          <a className="button" href={here}>
            {t('checkAgain')}
          </a>
          <p className="small">
            {t('checksItself')}{' '}
            {refresh && (
              <noscript>
                <a href={`${here}&refresh=off`}>{t('stopRefresh')}</a>
              </noscript>
            )}
          </p>
          <script dangerouslySetInnerHTML={{ __html: PAY_POLLER }} />
        </>
      )}
      <PayLinks here={here} receipt={receipt !== undefined} shared={state.kind === 'ready'} locale={locale} />
      {page.latestAttemptId !== null && state.kind !== 'paid' && (
        <p className="small">
          <a href={stopAddress(bill.id, locale)}>{t('stopLink')}</a>
        </p>
      )}
    </PayShell>
  );
}

function StateCard({ page: { bill }, state, locale }: { readonly page: PayPage; readonly state: PayState; readonly locale: Locale }) {
  const t = translator(locale, 'Pay');
  const merchant = bill.merchantName;
  switch (state.kind) {
    case 'paid':
      return (
        <section className="card good" role="status">
          <h1>{t('paidTitle')}</h1>
          <p>{t('paidText', { merchant, amount: formatMoney(bill.paidAmount) })}</p>
          {bill.paidAt && (
            <p className="small">
              {t('paidAt')} {formatInstant(bill.paidAt, locale)}
            </p>
          )}
        </section>
      );
    case 'queued':
      return (
        <section className="card note" role="status">
          <h1>{t('queuedTitle')}</h1>
          <p>{t('queuedText', { amount: formatMoney(state.attempt.amount), mobile: maskMobile(state.attempt.mobile) })}</p>
        </section>
      );
    case 'prompted':
      return (
        <section className="card note" role="status">
          <h1>{t('promptedTitle')}</h1>
          <p>{t('promptedText', { amount: formatMoney(state.attempt.amount), mobile: maskMobile(state.attempt.mobile) })}</p>
          <p>{t('promptedCheck')}</p>
        </section>
      );
    case 'unknown':
      return (
        <section className="card note" role="status">
          <h1>{t('unknownTitle')}</h1>
          <p>{t('unknownText', { amount: formatMoney(state.attempt.amount), mobile: maskMobile(state.attempt.mobile) })}</p>
        </section>
      );
    case 'inactive':
      return (
        <section className="card bad" role="status">
          <h1>{t('inactiveTitle')}</h1>
          <p>{t('inactiveText', { merchant })}</p>
        </section>
      );
    case 'ready':
      return (
        <>
          {state.failure && (
            <section className="card bad" role="alert">
              <p>{translator(locale, 'Reason')(state.failure)}</p>
            </section>
          )}
          {bill.status === 'PARTIALLY_PAID' && (
            <section className="card note" role="status">
              <h1>{t('partTitle')}</h1>
              <p>
                {t('partText', {
                  paid: formatMoney(bill.paidAmount),
                  amount: formatMoney(bill.amount),
                  remaining: formatMoney(remainingAmount(bill)),
                })}
              </p>
            </section>
          )}
          {bill.status === 'NOT_PAID' && <h1>{t('readyTitle')}</h1>}
        </>
      );
  }
}

/** One line of a list of facts. */
export function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** For a link that leads nowhere, or a moment when nothing can be said. */
export function PayNotice({
  locale,
  kind,
  otherLanguage,
}: {
  readonly locale: Locale;
  readonly kind: 'notFound' | 'error' | 'tooBusy';
  readonly otherLanguage: string;
}) {
  const t = translator(locale, 'Pay');
  return (
    <PayShell locale={locale} title={t(`${kind}Title`)} version={kind} otherLanguage={otherLanguage}>
      <section className="card bad">
        <h1>{t(`${kind}Title`)}</h1>
        <p>{t(`${kind}Text`)}</p>
      </section>
    </PayShell>
  );
}

interface PayShellProps {
  readonly locale: Locale;
  readonly title: string;
  readonly version: string;
  /** Where a waiting page asks whether its version has changed. */
  readonly poll?: string;
  readonly otherLanguage: string;
  /** Whose page it is. */
  readonly merchant?: BrandedMerchant;
  readonly children: ReactNode;
}

/** What every page for customers stands in. */
export function PayShell({ locale, title, version, poll, otherLanguage, merchant, children }: PayShellProps) {
  const t = translator(locale, 'Pay');
  return (
    <html lang={locale} data-version={version} data-poll={poll}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <link rel="icon" href="data:," />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: PAY_STYLE }} />
        {merchant && <style dangerouslySetInnerHTML={{ __html: brandStyle(merchant) }} />}
      </head>
      <body>
        <header>
          {merchant ? <MerchantMark merchant={merchant} locale={locale} /> : <b>Bili</b>}
          <a href={otherLanguage} lang={locale === 'sw' ? 'en' : 'sw'} hrefLang={locale === 'sw' ? 'en' : 'sw'}>
            {t('otherLanguage')}
          </a>
        </header>
        <main>{children}</main>
        {merchant && <footer>Bili</footer>}
      </body>
    </html>
  );
}

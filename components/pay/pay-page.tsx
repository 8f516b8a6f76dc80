import type { ReactNode } from 'react';
import { formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { PayPage } from '@/lib/payments/page/show-pay-page';
import type { Receipt as ReceiptFacts } from '@/lib/receipts/show-receipt';
import { type BrandedMerchant, brandStyle, MerchantMark } from './brand';
import { describeState } from './describe-state';
import { type FormProblem, type FormValues, problemText } from './form-problem';
import { PAY_POLLER } from './generated/poller';
import { Icon } from './icon';
import { OtherPhones } from './other-phones';
import { PayForm } from './pay-form';
import { PayLinks } from './pay-links';
import { PromptHelp } from './prompt-help';
import { Receipt } from './receipt';
import { StateCard } from './state-card';
import { stopAddress } from './stop-address';
import { PAY_STYLE } from './style';

interface PayPageProps {
  readonly page: PayPage;
  /** The receipt, if anything has been paid. */
  readonly receipt: ReceiptFacts | undefined;
  readonly locale: Locale;
  /** The values of the form. */
  readonly values: FormValues;
  readonly wrong: FormProblem | null;
  /** Whether the page reloads itself if there is no JavaScript. */
  readonly refresh: boolean;
  readonly now: Date;
}

/** The reload interval without JavaScript. A reload disturbs reading, so it can be turned off. */
const REFRESH_SECONDS = 10;

/** The payment page of a bill. It needs no JavaScript and loads no other file. */
export function PayDocument({ page, receipt, locale, values, wrong, refresh, now }: PayPageProps) {
  const { bill, state, others, form, version, pace } = page;
  const t = translator(locale, 'Pay');
  const waiting = 'attempt' in state;
  const settled = bill.status === 'FULLY_PAID' && !waiting;
  const held = state.kind === 'ready' && state.failure?.mayStillBePaid === true;
  const passing = waiting || state.kind === 'decline';
  const here = `/pay?bill=${bill.id}&lang=${locale}`;
  const pay = form && <PayForm page={page} form={form} values={values} wrong={wrong} locale={locale} />;
  return (
    <PayShell
      locale={locale}
      title={`${wrong ? problemText(wrong, page, locale) : describeState(page, locale).title} · ${t('title', { merchant: bill.merchantName })}`}
      version={version}
      here={here}
      pace={pace}
      otherLanguage={`/pay?bill=${bill.id}&lang=${locale === 'sw' ? 'en' : 'sw'}`}
      merchant={bill}
      reload={passing && refresh && !wrong ? { seconds: REFRESH_SECONDS, address: here } : undefined}
    >
      {bill.environment === 'sandbox' && <p className="small test">{t('sandboxNote')}</p>}
      <StateCard page={page} locale={locale} now={now} />
      {settled && receipt && <Receipt receipt={receipt} locale={locale} />}
      {waiting && state.helpDue && state.kind === 'prompted' && <PromptHelp prompt={state} form={form} locale={locale} />}
      <OtherPhones page={page} locale={locale} />
      {form && (waiting || held) && !wrong ? (
        <details id="beside">
          <summary>{held ? t('tryHeld') : t('payBeside', { amount: formatMoney(form.payable) })}</summary>
          {pay}
        </details>
      ) : (
        pay
      )}
      {(passing || held || others.length > 0 || state.kind === 'unserved' || state.kind === 'inactive') && (
        <>
          <a className="button" id="again" href={here}>
            {t('checkAgain')}
          </a>
          {passing && (
            <p className="small">
              {t('checksItself')} {t('comeBack')}{' '}
              {refresh && (
                <noscript>
                  <a href={`${here}&refresh=off`}>{t('stopRefresh')}</a>
                </noscript>
              )}
            </p>
          )}
        </>
      )}
      <PayLinks here={here} receipt={receipt !== undefined} shared={form !== null && !waiting} locale={locale} />
      {page.prompted && !settled && (
        <p className="small">
          <a href={stopAddress(bill.id, locale)}>{t('stopLink')}</a>
        </p>
      )}
    </PayShell>
  );
}

const NOTICE_ICONS = { notFound: 'question', error: 'cross', tooBusy: 'clock' } as const;

type PayNoticeProps = Pick<PayShellProps, 'locale' | 'otherLanguage'> & { readonly kind: keyof typeof NOTICE_ICONS };

/** A page for an invalid link or an internal error. */
export function PayNotice({ locale, kind, otherLanguage }: PayNoticeProps) {
  const t = translator(locale, 'Pay');
  return (
    <PayShell locale={locale} title={t(`${kind}Title`)} version={kind} otherLanguage={otherLanguage}>
      <section className="card bad">
        <h1>
          <Icon name={NOTICE_ICONS[kind]} />
          <span>{t(`${kind}Title`)}</span>
        </h1>
        <p>{t(`${kind}Text`)}</p>
      </section>
    </PayShell>
  );
}

interface PayShellProps {
  readonly locale: Locale;
  readonly title: string;
  readonly version: string;
  /** The address of the page. Omit it if the page never changes. */
  readonly here?: string | undefined;
  /** How often the script polls; null if it does not. */
  readonly pace?: PayPage['pace'];
  readonly otherLanguage: string;
  /** The reload for browsers without JavaScript. */
  readonly reload?: { readonly seconds: number; readonly address: string } | undefined;
  /** The merchant, for the brand. */
  readonly merchant?: BrandedMerchant;
  readonly children: ReactNode;
}

/** The frame of every page for customers. */
export function PayShell({ locale, title, version, here, pace, otherLanguage, reload, merchant, children }: PayShellProps) {
  const t = translator(locale, 'Pay');
  return (
    <html lang={locale} data-version={version} data-here={here} data-pace={pace ?? undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="same-origin" />
        <link rel="icon" href="data:," />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: PAY_STYLE }} />
        {merchant && <style dangerouslySetInnerHTML={{ __html: brandStyle(merchant) }} />}
        {reload && (
          <noscript>
            <meta httpEquiv="refresh" content={`${reload.seconds};url=${reload.address}`} />
          </noscript>
        )}
      </head>
      <body>
        <header>
          {merchant ? <MerchantMark merchant={merchant} locale={locale} /> : <b>Bili</b>}
          <a href={otherLanguage} lang={locale === 'sw' ? 'en' : 'sw'} hrefLang={locale === 'sw' ? 'en' : 'sw'}>
            {t('otherLanguage')}
          </a>
        </header>
        {here && (
          <div className="off">
            <p id="off" className="card wait" role="status" hidden>
              {t('offline')}
            </p>
          </div>
        )}
        <main>{children}</main>
        {merchant && <footer>Bili</footer>}
        {here && (
          <>
            <p id="say" role="status" />
            <script dangerouslySetInnerHTML={{ __html: PAY_POLLER }} />
          </>
        )}
      </body>
    </html>
  );
}

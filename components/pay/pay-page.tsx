import { formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { PayPage } from '@/lib/payments/page/show-pay-page';
import type { Receipt as ReceiptFacts } from '@/lib/receipts/show-receipt';
import { canRetry, describeState } from './describe-state';
import { type FormProblem, type FormValues, problemText } from './form-problem';
import { OtherPhones, PromptHelp } from './open-prompts';
import { PayForm } from './pay-form';
import { type LinkPreview, PayShell } from './pay-shell';
import { Receipt } from './receipt';
import { Retry } from './retry';
import { ReturnButton, ReturnLink } from './return-link';
import { StateCard } from './state-card';
import { stopAddress } from './stop-page';

interface PayPageProps {
  readonly page: PayPage;
  /** The receipt, if anything has been paid. */
  readonly receipt: ReceiptFacts | undefined;
  readonly locale: Locale;
  readonly values: FormValues;
  readonly wrong: FormProblem | null;
  /** Whether the page reloads itself if there is no JavaScript. */
  readonly refresh: boolean;
  readonly now: Date;
  readonly preview?: LinkPreview;
}

/** The reload interval without JavaScript. A reload disturbs reading, so it can be turned off. */
const REFRESH_SECONDS = 10;
/** The reload interval while the request is being sent. It is short, because the phone shows the prompt within seconds. */
const SENDING_SECONDS = 3;

/** The payment page of a bill. It needs no JavaScript and loads no other file. */
export function PayDocument({ page, receipt, locale, values, wrong, refresh, now, preview }: PayPageProps) {
  const { bill, state, others, form, version, pace } = page;
  const t = translator(locale, 'Pay');
  const waiting = 'attempt' in state;
  const settled = bill.status === 'FULLY_PAID' && !waiting;
  const held = state.kind === 'ready' && state.failure?.mayStillBePaid === true;
  const passing = waiting || state.kind === 'decline';
  const shared = form !== null && !waiting;
  const here = `/pay?bill=${bill.id}&lang=${locale}`;
  const blank = form && <PayForm page={page} form={form} values={values} wrong={wrong} locale={locale} />;
  const pay =
    form && !wrong && canRetry(page) ? (
      <>
        <Retry page={page} form={form} values={values} locale={locale} />
        <details id="other">
          <summary className="button">{t('useOther')}</summary>
          {blank}
        </details>
      </>
    ) : (
      blank
    );
  return (
    <PayShell
      locale={locale}
      title={`${wrong ? problemText(wrong, page, locale) : describeState(page, locale).title} · ${t('title', { merchant: bill.merchantName })}`}
      version={version}
      here={here}
      pace={pace}
      otherLanguage={`/pay?bill=${bill.id}&lang=${locale === 'sw' ? 'en' : 'sw'}`}
      merchant={bill}
      preview={preview}
      reload={
        passing && refresh && !wrong ? { seconds: state.kind === 'sending' ? SENDING_SECONDS : REFRESH_SECONDS, address: here } : undefined
      }
    >
      {bill.environment === 'sandbox' && <p className="test">{t('sandboxNote')}</p>}
      <StateCard page={page} locale={locale} now={now} advised={wrong?.problem.kind === 'tooMany'} />
      <ReturnButton page={page} locale={locale} />
      {settled && receipt && <Receipt receipt={receipt} locale={locale} />}
      {waiting && state.helpDue && state.kind === 'prompted' && <PromptHelp prompt={state} form={form} locale={locale} />}
      <OtherPhones page={page} locale={locale} />
      {form && (waiting || held) && !wrong ? (
        <details id="beside">
          <summary className="button">{held ? t('tryHeld') : t('payBeside', { amount: formatMoney(form.payable) })}</summary>
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
      {(receipt || shared) && (
        <p className="center screen">
          {receipt && <a href={`${here}&show=receipt`}>{translator(locale, 'Receipt')('open')}</a>}
          {shared && <a href={`${here}&show=qr`}>{translator(locale, 'Share')('open')}</a>}
        </p>
      )}
      <ReturnLink page={page} locale={locale} />
      {page.prompted && !settled && (
        <p className="small center">
          <a href={stopAddress(bill.id, locale)}>{t('stopLink')}</a>
        </p>
      )}
    </PayShell>
  );
}

import { Illustration } from '@/components/ui/illustration';
import { isOverpaid } from '@/lib/gateway/bills/rules';
import type { OpenPrompt } from '@/lib/gateway/payment-page/pay-state';
import type { PayFormOffer, PayPage } from '@/lib/gateway/payment-page/show-pay-page';
import type { Receipt as ReceiptFacts } from '@/lib/gateway/receipts/show-receipt';
import { isNetwork, WALLET_MENUS } from '@/lib/platform/core/network';
import { isolated } from '@/lib/platform/core/text';
import { formatClock, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { BillFacts, BillSum, PaidPart, Purpose } from './bill-facts';
import { AskButtons } from './contact';
import { canRetry, describeState, shownMobile } from './describe-state';
import { type FormProblem, type FormValues, problemText } from './form-problem';
import { Icon } from './icon';
import { PayForm, Retry, Wallet, walletOf } from './pay-form';
import { type LinkPreview, PayShell } from './pay-shell';
import { Receipt } from './receipt-card';
import { stopAddress } from './stop-page';
import { waysAddress } from './ways-page';

interface PayPageProps {
  readonly page: PayPage;
  /** The receipt, if anything has been paid. */
  readonly receipt: ReceiptFacts | undefined;
  readonly locale: Locale;
  readonly values: FormValues;
  readonly wrong: FormProblem | null;
  /** Whether the page reloads itself if there is no JavaScript. */
  readonly refresh: boolean;
  /** Whether the bill can be paid without a prompt, and whether an instrument for that exists. */
  readonly ways: { readonly offered: boolean; readonly issued: boolean };
  readonly now: Date;
  readonly preview?: LinkPreview;
}

/** The reload interval without JavaScript. A reload disturbs reading, so it can be turned off. */
const REFRESH_SECONDS = 10;
/** The reload interval while the request is being sent. It is short, because the phone shows the prompt within seconds. */
const SENDING_SECONDS = 3;

/** The payment page of a bill. It needs no JavaScript and loads no other file. */
export function PayDocument({ page, receipt, locale, values, wrong, refresh, ways, now, preview }: PayPageProps) {
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
      // The money of an instrument can arrive at any time.
      pace={pace ?? (ways.issued ? 'slow' : null)}
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
      {ways.offered && (
        <p className="center screen">
          <a href={waysAddress(bill.id, locale)}>{translator(locale, 'PayWays')('open')}</a>
        </p>
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

/** Returns whether the next step is the way back to the shop: something is paid and no prompt is open, or the bill is closed. */
function isDone({ bill, state }: PayPage): boolean {
  return state.kind === 'paid' || state.kind === 'overpaid' || state.kind === 'closed' || (state.kind === 'ready' && bill.paidAmount > 0n);
}

/** The button that leads back to the shop, after a payment or on a closed bill. */
function ReturnButton({ page, locale }: Pick<PayPageProps, 'page' | 'locale'>) {
  if (!isDone(page) || page.bill.returnUrl === null) return null;
  return (
    <p className="screen">
      <ShopLink page={page} locale={locale} className="button" />
    </p>
  );
}

/** The small link back to the shop. The page shows it only while it does not show the large `ReturnButton`. */
function ReturnLink({ page, locale }: Pick<PayPageProps, 'page' | 'locale'>) {
  if (isDone(page) || page.bill.returnUrl === null) return null;
  return (
    <p className="small center screen">
      <ShopLink page={page} locale={locale} />
    </p>
  );
}

function ShopLink({ page: { bill }, locale, className }: Pick<PayPageProps, 'page' | 'locale'> & { readonly className?: string }) {
  if (bill.returnUrl === null) return null;
  return (
    <a href={withBill(bill.returnUrl, bill.id)} className={className} rel="noreferrer">
      {translator(locale, 'Pay')('backToShop', { merchant: isolated(bill.merchantName) })}
    </a>
  );
}

/**
 * Adds the bill's id as parameter `bill`, unless the address already has a parameter of this name. The address does not say whether the
 * bill is paid: the shop reads the state from the API.
 */
function withBill(address: string, id: string): string {
  const url = new URL(address);
  if (!url.searchParams.has('bill')) url.search = `${url.search === '' ? '?' : `${url.search}&`}bill=${id}`;
  return url.href;
}

interface PromptHelpProps {
  readonly prompt: OpenPrompt;
  readonly form: PayFormOffer | null;
  readonly locale: Locale;
}

/**
 * Help for a customer who sees no prompt: three things to check, and what else the customer can do while the prompt can still be approved.
 * The USSD code of the wallet's menu reveals the network of the number. So only the device that requested the prompt shows this code.
 */
function PromptHelp({ prompt, form, locale }: PromptHelpProps) {
  const t = translator(locale, 'Pay');
  const { attempt, own, times } = prompt;
  const about = { mobile: shownMobile(prompt), amount: formatMoney(attempt.amount) };
  // A line must not end within `M-Pesa`.
  const wallet = walletOf(attempt.network).replace('-', '\u2011');
  const code = own && isNetwork(attempt.network) ? WALLET_MENUS[attempt.network] : undefined;
  return (
    <section className="card">
      <h2>{t('helpTitle')}</h2>
      <ol>
        <li>{code ? t('helpPhoneMenu', { code }) : t('helpPhone')}</li>
        <li>{own ? t('helpNumber', { ...about, wallet }) : t('helpNumberOnly', about)}</li>
        <li>{code ? t('helpBalanceMenu', { ...about, code }) : t('helpBalance', about)}</li>
      </ol>
      <details id="more">
        <summary>{t('helpMore')}</summary>
        {times && <p>{t('helpAgain', { time: formatClock(times.until) })}</p>}
        <p>{form ? t('helpOtherNow', { amount: formatMoney(form.payable) }) : t('helpOther')}</p>
        <p>{t('helpPin')}</p>
      </details>
    </section>
  );
}

/** Open attempts from other devices. Several people can pay one bill at the same time, and each attempt reserves its amount. */
function OtherPhones({ page: { others, form }, locale }: { readonly page: PayPage; readonly locale: Locale }) {
  const t = translator(locale, 'Pay');
  if (others.length === 0) return null;
  return (
    <section className="card">
      <h2>{t('othersTitle')}</h2>
      <ul>
        {others.map((prompt) => (
          <li key={prompt.attempt.id}>{describe(prompt, locale)}</li>
        ))}
      </ul>
      {others.some(({ kind }) => kind === 'prompted') && <p>{t('othersYours')}</p>}
      {form && (
        <p>
          <b>{t('payableNow', { amount: formatMoney(form.payable) })}</b>
        </p>
      )}
    </section>
  );
}

function describe(prompt: OpenPrompt, locale: Locale): string {
  const t = translator(locale, 'Pay');
  const about = { mobile: shownMobile(prompt), amount: formatMoney(prompt.attempt.amount) };
  if (prompt.excessive) return t('otherExcessive', about);
  if (prompt.kind === 'queued') return t('otherQueued', about);
  if (prompt.kind === 'unknown') return t('otherUnknown', about);
  return prompt.times ? t('otherPromptedUntil', { ...about, time: formatClock(prompt.times.until) }) : t('otherPrompted', about);
}

interface StateCardProps {
  readonly page: PayPage;
  readonly locale: Locale;
  readonly now: Date;
  /** Whether an error message below the card already says what to do next. If so, the card only says what has happened. */
  readonly advised: boolean;
}

/** The state of the bill, the amount and the next step. */
function StateCard({ page, locale, now, advised }: StateCardProps) {
  const { bill, state } = page;
  const { icon, tone, title, texts: all } = describeState(page, locale);
  const closed = state.kind === 'closed';
  // Nothing has happened yet: the shop and the amount say more than the heading.
  const calm = state.kind === 'ready' && state.failure === null;
  const texts = advised ? [] : all;
  return (
    <section className={`card ${tone}${closed ? ' art' : calm ? ' calm' : ''}`}>
      {closed && <Illustration name="empty" />}
      <h1 tabIndex={-1}>
        {!closed && <Icon name={icon} />}
        <span>{title}</span>
      </h1>
      {state.kind === 'ready' && texts.map((text) => <p key={text}>{text}</p>)}
      <BillSum page={page} locale={locale} />
      <Purpose page={page} />
      <PaidPart page={page} locale={locale} />
      {(state.kind === 'sending' || state.kind === 'prompted') && <Waiting prompt={state} locale={locale} now={now} />}
      {state.kind !== 'ready' && texts.map((text) => <p key={text}>{text}</p>)}
      <BillFacts page={page} locale={locale} now={now} />
      {(closed || state.kind === 'inactive' || state.kind === 'unserved' || isOverpaid(bill)) && (
        <AskButtons
          contact={bill.supportNumber}
          text={translator(locale, 'Pay')('askText', { reference: bill.reference })}
          locale={locale}
        />
      )}
    </section>
  );
}

interface WaitingProps {
  readonly prompt: OpenPrompt;
  readonly locale: Locale;
  readonly now: Date;
}

/**
 * A phone with a PIN dialog, in a ring that empties while the time to respond runs out. Without JavaScript it shows the time of day until
 * which the customer can respond; the script replaces that by the remaining time, so that there is only one time to read.
 */
function Waiting({ prompt, locale, now }: WaitingProps) {
  const t = translator(locale, 'Pay');
  const { attempt, own, times } = prompt;
  return (
    <div className="left">
      <Phone waiting={times !== null} />
      <div>
        {times && (
          <p role="timer">
            <span id="by" data-left={t('timeLeft')} data-over={t('timeOver')}>
              {t('respondBy')}
            </span>{' '}
            <b
              id="left"
              data-ms={Math.max(times.until.getTime() - now.getTime(), 0)}
              data-of={times.until.getTime() - times.sentAt.getTime()}
            >
              {formatClock(times.until)}
            </b>
          </p>
        )}
        <p className="hint">
          {own && (
            <>
              <span>
                <Wallet network={attempt.network} />
              </span>
              <br />
            </>
          )}
          {shownMobile(prompt)}
        </p>
      </div>
    </div>
  );
}

/** The circumference of the ring is 100 units, so that the remaining time in per cent is the length of its arc. */
const RING = { cx: 18, cy: 18, r: 15.9155 } as const;

function Phone({ waiting }: { readonly waiting: boolean }) {
  return (
    <svg viewBox="0 0 36 36" aria-hidden="true">
      <circle {...RING} opacity=".2" />
      <circle {...RING} id="ring" strokeDasharray={waiting ? '100 100' : '25 75'} transform="rotate(-90 18 18)">
        {!waiting && (
          <animateTransform attributeName="transform" type="rotate" from="0 18 18" to="360 18 18" dur="1.2s" repeatCount="indefinite" />
        )}
      </circle>
      <g strokeWidth="1">
        <path d="M13 7h10a1 1 0 0 1 1 1v20a1 1 0 0 1-1 1H13a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1zM17 26.5h2M14 13h8v7h-8zM16 15.3h4" />
        <path strokeWidth="1.3" d="M15.6 18h.01M17.2 18h.01M18.8 18h.01M20.4 18h.01" />
      </g>
    </svg>
  );
}

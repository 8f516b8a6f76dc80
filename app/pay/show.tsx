import { Figure, MerchantFact } from '@/components/pay/bill-facts';
import { brandStyle } from '@/components/pay/brand';
import { describeState } from '@/components/pay/describe-state';
import type { FormProblem, FormValues } from '@/components/pay/form-problem';
import { SHARE_SCRIPT } from '@/components/pay/generated/share-script';
import { Icon } from '@/components/pay/icon';
import { pictureAddress, previewBill } from '@/components/pay/link-preview';
import { PayNotice } from '@/components/pay/notice-page';
import { PayDocument } from '@/components/pay/pay-page';
import { Fact, PayShell } from '@/components/pay/pay-shell';
import { QrCode } from '@/components/pay/qr-code';
import { ReceiptNumber } from '@/components/pay/receipt-card';
import { type ReceiptView, STAMPS, stampText, viewReceipt } from '@/components/pay/receipt-view';
import { htmlResponse } from '@/components/pay/render';
import { shareAddresses } from '@/components/pay/share-addresses';
import { StopPage } from '@/components/pay/stop-page';
import { billText } from '@/components/pay/way-steps';
import { waysVersion } from '@/components/pay/ways-page';
import type { PayDevice } from '@/lib/entry/http/pay-device';
import { findBillByLink } from '@/lib/gateway/bills/linked-bill';
import { remainingAmount } from '@/lib/gateway/bills/rules';
import { makeShortLink } from '@/lib/gateway/bills/short-links';
import { offersWays, type ShownWays, showPayWays, usableWays } from '@/lib/gateway/payment-page/pay-ways';
import { type PayPage, showPayPage } from '@/lib/gateway/payment-page/show-pay-page';
import { listReversedPayments, showReceipt } from '@/lib/gateway/receipts/show-receipt';
import { requestRefusal } from '@/lib/gateway/refusals/request-refusal';
import { REASON_MAX } from '@/lib/gateway/refusals/rules';
import { baseUrl } from '@/lib/platform/config/settings';
import { clientNetwork } from '@/lib/platform/core/client-network';
import { isUuid } from '@/lib/platform/core/ids';
import { formatMobile, mobileProblem, readMobile } from '@/lib/platform/core/mobile';
import { toWholeShillings } from '@/lib/platform/core/money';
import { visibleLine } from '@/lib/platform/core/text';
import { formatMoney, groupDigits } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { localeOf, type Visit } from './visit';
import { showWays } from './ways';

/**
 * Answers with what the query asks for: the payment page of a bill, the version of this page, the receipt or the QR code.
 * @param wrong the problem of a submitted form, or null.
 */
export async function show(visit: Visit, wrong: FormProblem | null): Promise<Response> {
  const { runtime, id, query, locale } = visit;
  if (wrong === null && query.get('show') === 'stop') return showStop(visit);
  const page = await findPage(visit);
  if (page) return showPage(visit, page, wrong);
  const contact = runtime.settings.OPERATOR_CONTACT;
  const notice = <PayNotice locale={locale} kind="notFound" otherLanguage={otherLanguage(query, locale)} contact={contact} />;
  return htmlResponse(notice, 404, id);
}

/** Reads the content of the bill's payment page; undefined if the environment has no such bill. */
export function findPage({ runtime, environment, query, device }: Visit): Promise<PayPage | undefined> {
  return showPayPage(runtime, environment, query.get('bill') ?? '', device.attemptId);
}

/** Answers with what the query asks for, like {@link show}, for a page that was read. */
export async function showPage(visit: Visit, page: PayPage, wrong: FormProblem | null): Promise<Response> {
  const { runtime, environment, id, query, device } = visit;
  const locale = localeOf(visit, page);
  const ways = query.get('show') === 'ways' ? await showPayWays(runtime, page.bill) : null;
  if (query.get('part') === 'version') {
    return new Response(ways ? waysVersion(page, ways) : page.version, {
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'x-request-id': id },
    });
  }
  // If nothing can be paid any more, the bill's own page says why, or shows the receipt.
  if (ways && ways.amount > 0n) return showWays(visit, page, ways);
  const brand = brandStyle(page.bill);
  if (query.get('show') === 'qr') {
    const link = await makeShortLink(runtime, page.bill);
    const issued = await usableWays(runtime, page.bill.id);
    return htmlResponse(<ShareDocument page={page} link={link} ways={issued} locale={locale} />, 200, id, { ...SHARE_PARTS, brand });
  }
  const receipt = await showReceipt(runtime, page.bill);
  if (query.get('show') === 'receipt') {
    const shown = receipt ?? (await listReversedPayments(runtime, page.bill));
    if ('code' in shown || shown.length > 0) {
      const link = await makeShortLink(runtime, page.bill);
      const document = (
        <ReceiptDocument bill={page.bill} view={viewReceipt(page.bill, shown, page.returns, locale)} link={link} locale={locale} />
      );
      return htmlResponse(document, 200, id, { ...RECEIPT_PARTS, brand });
    }
  }
  const values = wrong?.values ?? firstValues(page, device);
  const refresh = query.get('refresh') !== 'off';
  const others = await offersWays(runtime, page.bill);
  return htmlResponse(
    <PayDocument
      {...{ page, receipt, locale, values, wrong, refresh }}
      ways={others}
      preview={previewBill(page, baseUrl(runtime.settings, environment), locale)}
      now={runtime.clock()}
    />,
    wrong ? 422 : 200,
    id,
    { brand },
  );
}

/** Returns the initial values: those of this device's last payment request, or the mobile number stored on this device. */
function firstValues({ form, offer }: PayPage, device: PayDevice): FormValues {
  const again = form?.again ?? null;
  const mobile = again?.mobile ?? device.mobile;
  const amount = again && form?.amounts && again.amount <= form.amounts.max ? groupDigits(toWholeShillings(again.amount)) : null;
  return {
    mobile: mobile === null ? '' : fieldMobile(mobile),
    amount,
    chosen: offer?.chosen ?? null,
    remember: device.mobile !== null,
  };
}

/** Returns a mobile number as the form shows it: `0712 345 678`. */
export function fieldMobile(mobile: string): string {
  return formatMobile(mobile).replaceAll('\u00a0', ' ');
}

/** Returns the address of the same bill in the other language. */
export function otherLanguage(query: URLSearchParams, locale: Locale): string {
  return `/pay?bill=${encodeURIComponent(query.get('bill') ?? '')}&lang=${locale === 'sw' ? 'en' : 'sw'}`;
}

/** Shows the form that blocks payment requests to a number. */
async function showStop({ id, query, locale }: Visit): Promise<Response> {
  return htmlResponse(<StopPage locale={locale} billId={billOf(query)} values={null} answer={null} />, 200, id);
}

/** Stores a request to block a number. Sending the same form again shows the same answer. */
export async function submitStop({ runtime, environment, id, query, locale }: Visit, address: string | null): Promise<Response> {
  const number = query.get('mobile') ?? '';
  const reason = asText(query.get('reason') ?? '');
  const mobile = readMobile(number);
  const billId = billOf(query);
  if (mobile === null) {
    const values = { mobile: number.slice(0, 40), reason, problem: mobileProblem(number) };
    return htmlResponse(<StopPage locale={locale} billId={billId} values={values} answer={null} />, 422, id);
  }
  const request = await requestRefusal(runtime, { environment, mobile, reason: reason || null, holder: clientNetwork(address) });
  runtime.log.info({ requestId: id, request: request.kind }, 'request to block a number received');
  const status = request.kind === 'too_many' ? 429 : 200;
  const contact = runtime.settings.OPERATOR_CONTACT ?? null;
  const bill = billId !== null && contact === null ? await findBillByLink(runtime.db, environment, billId) : undefined;
  const answer = { request, mobile, contact, shopNumber: bill?.supportNumber ?? null };
  return htmlResponse(<StopPage locale={locale} billId={billId} values={null} answer={answer} />, status, id);
}

/** Returns the id of the bill to whose page the visitor can return; null if the query contains no valid bill id. */
function billOf(query: URLSearchParams): string | null {
  const bill = query.get('bill') ?? '';
  return isUuid(bill) ? bill : null;
}

/** Replaces control characters: PostgreSQL cannot store NUL, and the operator reads this text in a terminal. */
function asText(written: string): string {
  return visibleLine(written).slice(0, REASON_MAX);
}

const stamps = Object.entries(STAMPS)
  .map(([kind, { colour }]) => `.paper.${kind} .stamp{color:${colour}}`)
  .join('');

/** The style of a receipt. It looks like paper in the dark mode too. Only the receipt's page inlines it. */
const PAPER_STYLE = `
.paper{position:relative;background:#fff;color:#14231c;padding:1.25rem 5vw .5rem;padding:1.25rem min(1.25rem,5vw) .5rem;margin:0 0 1.75rem;border-radius:.5rem .5rem 0 0;overflow-wrap:break-word;text-align:center;font-variant-numeric:tabular-nums}
.paper:after{content:"";position:absolute;left:0;right:0;top:100%;height:.625rem;background:linear-gradient(135deg,#fff .44rem,transparent 0) 0 0/1.25rem 100%,linear-gradient(225deg,#fff .44rem,transparent 0) 0 0/1.25rem 100%}
.paper h1{display:block;font-size:1rem;color:#46584e;text-transform:uppercase;letter-spacing:.08em;margin:.125rem 0 0}
.paper h2{font-size:.9375rem;margin:1rem 0 .25rem;color:#46584e}
.paper .top{margin:0;font-weight:600}
.paper .figure{margin:.25rem 0 0;white-space:nowrap;font-size:8.5vw;font-size:min(2.75rem,8.5vw);line-height:1.15;font-weight:800;letter-spacing:-.02em}
.paper .stamp{display:inline-flex;align-items:center;margin:.75rem 0 1rem;padding:.25rem .875rem;border:.1875rem double;border-radius:.5rem;font-size:1.1875rem;line-height:1.25;letter-spacing:.05em;transform:rotate(-4deg)}
.paper .stamp svg{fill:none;stroke:currentColor;stroke-width:2.25;stroke-linecap:round;stroke-linejoin:round;margin-right:.375rem;flex:none}
${stamps}
.paper dl{text-align:left;border-top:1px dashed #b9c4bc;padding-top:.5rem}
.paper dt,.paper .small{color:#46584e}
.paper .payments dt b{color:#14231c}
.paper dt small{display:block}
.paper .check{display:flex;flex-wrap:wrap;align-items:center;border-top:1px dashed #b9c4bc;margin-top:.75rem;padding-top:.75rem}
.paper .check>div{flex:1 1 10rem;min-width:0}
.paper .check h2{margin:0}
.paper .qr{width:9rem;margin:0 auto}
.paper .code{margin:0;font-size:1.25rem}
.paper .small{font-size:.875rem}
.band{background:#fff1d6;color:#6b3d00;border-radius:.375rem;padding:.375rem .5rem;margin:0 0 .75rem;font-weight:600;font-size:.9375rem}
.acts,.ways{display:flex;flex-wrap:wrap;margin:0 -.25rem}
.acts .button,.ways .button{flex:1 1 9rem;width:auto;margin:.5rem .25rem 0}
@media print{.acts,.ways{display:none}.paper{padding:0;margin:0;font-size:10pt}.paper:after{display:none}.paper .figure{font-size:min(26pt,8.5vw)}.band{border:1px solid}}
`.trim();

interface ReceiptDocumentProps {
  readonly bill: PayPage['bill'];
  readonly view: ReceiptView;
  /** The short address of the bill's page. */
  readonly link: string;
  readonly locale: Locale;
}

/** A receipt to print, to save as a picture and to send. */
function ReceiptDocument({ bill, view, link, locale }: ReceiptDocumentProps) {
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
        <Fact term={translator(locale, 'Verify')('paidTo')}>
          <bdi>{merchant}</bdi>
        </Fact>
        {facts.map(({ term, value }) => (
          <Fact key={`${term} ${value}`} term={term}>
            <bdi>{value}</bdi>
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

interface ShareDocumentProps {
  readonly page: PayPage;
  /** The short address of the bill's page. */
  readonly link: string;
  readonly ways: ShownWays;
  readonly locale: Locale;
}

/** A page with the bill's link as a QR code, to show on a counter or to send. It updates itself when the bill is paid. */
function ShareDocument({ page, link, ways, locale }: ShareDocumentProps) {
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
        <section className="card center drawn">
          <h1>{t('heading')}</h1>
          <Figure text={amount} label={bill.paidAmount > 0n ? pay('sumRemaining') : null} />
          <QrCode text={link} label={t('qrLabel')} shop={bill} large />
          <p className="small">{t('scanHint')}</p>
          {('attempt' in state || others.length > 0) && <p>{t('beingPaid')}</p>}
        </section>
      )}
      <section className="card">
        <dl>
          <MerchantFact page={page} locale={locale} />
          {resting && !paid && !closed && <Fact term={t('amountLeft')}>{amount}</Fact>}
          <Fact term={pay('reference')}>
            <bdi>{bill.reference}</bdi>
          </Fact>
        </dl>
      </section>
      {!resting && (
        <ShareLinks
          text={billText({ merchant, amount, reference: bill.reference, url: link, ways, network: null }, locale)}
          locale={locale}
        />
      )}
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

/** Hides the buttons that need JavaScript. The script shows them again. */
const SHARE_STYLE =
  '.acts .button,.ways .button{display:flex;align-items:center;justify-content:center}.acts .print,.ways .share{display:none}.js .acts .print,.can-share .ways .share{display:flex}';

/** What a page with `ShareLinks` inlines in addition to the style and script that all public pages share. */
const SHARE_PARTS = { style: SHARE_STYLE, script: SHARE_SCRIPT };

/** What a receipt's page inlines in addition to the style and script that all public pages share. */
const RECEIPT_PARTS = { style: PAPER_STYLE + SHARE_PARTS.style, script: SHARE_PARTS.script };

/**
 * Links that open SMS or WhatsApp with a text, and on phones a button that opens the list of apps. The browser loads nothing from other
 * sites until somebody clicks a link.
 */
function ShareLinks({ text, locale }: { readonly text: string; readonly locale: Locale }) {
  const t = translator(locale, 'Share');
  const { sms, whatsapp } = shareAddresses(text);
  return (
    <p className="screen ways">
      <button id="share" type="button" className="button share" data-text={text.replaceAll('\u00a0', ' ')}>
        {t('share')}
      </button>
      <a className="button" href={whatsapp}>
        {t('whatsapp')}
      </a>
      <a className="button" href={sms}>
        {t('sms')}
      </a>
    </p>
  );
}

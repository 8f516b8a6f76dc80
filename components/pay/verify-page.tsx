import type { Verification, VerifiedReceipt } from '@/lib/gateway/receipts/verify-receipt';
import { formatDay, formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { ShopPicture } from './brand';
import { Icon, type IconName } from './icon';
import { Fact, PayShell } from './pay-shell';

/** The result of a check. `busy`: too many checks from one IP address. */
export type Checked = Verification | { readonly kind: 'busy' };

/** The style of results. Only this page inlines it. */
const VERIFY_STYLE = `
h1+form{margin-top:.5rem}
.result{text-align:center;padding:1.25rem 1rem}
.result h1{display:block;font-size:1.5rem}
.result svg{display:block;width:4rem;height:4rem;margin:0 auto .5rem}
.result .sum{justify-content:center}
.result .sum b{margin:0}
.shop{display:flex;align-items:center;margin:0;line-height:1.25}
.shop svg,.shop img{flex:none;margin-right:.75rem}
.shop img{max-width:40%;height:auto;border-radius:.375rem;padding:.125rem;background:#fff}
.shop span{min-width:0;overflow-wrap:anywhere}
.shop small,.shop b{display:block}
.shop b{font-size:1.1875rem}`;

/** Returns a code or a time in which no line can break. People compare the text with their receipt, which is easier in one line. */
function unbroken(text: string): string {
  return text.replaceAll('-', '\u2011').replaceAll(' ', '\u00a0');
}

/** What the page inlines in addition to the style and script that all public pages share. */
export const VERIFY_PARTS = { style: VERIFY_STYLE };

interface VerifyDocumentProps {
  /** Null before a code is entered. */
  readonly checked: Checked | null;
  readonly typed: string;
  readonly now: Date;
  readonly locale: Locale;
}

/** The page that verifies the code of a receipt. It needs no JavaScript and loads no other file. */
export function VerifyDocument({ checked, typed, now, locale }: VerifyDocumentProps) {
  const t = translator(locale, 'Verify');
  const genuine = checked?.kind === 'genuine' ? checked.receipt : null;
  const refused = checked?.kind === 'unknown' || checked?.kind === 'busy' ? checked.kind : null;
  return (
    <PayShell
      locale={locale}
      title={t('title')}
      version="verify"
      {...VERIFY_PARTS}
      otherLanguage={`/verify?${new URLSearchParams({ ...(typed !== '' && { code: typed }), lang: locale === 'sw' ? 'en' : 'sw' })}`}
    >
      {refused && (
        <section className={`card result ${refused === 'busy' ? 'wait' : 'bad'}`} role="alert">
          <Icon name={refused === 'busy' ? 'clock' : 'cross'} />
          <h1>{t(`${refused}Title`)}</h1>
          <p>{t(`${refused}Text`, { code: unbroken(typed) })}</p>
        </section>
      )}
      {genuine && <Genuine receipt={genuine} now={now} locale={locale} />}
      {genuine ? (
        <a className="button screen" href={`/verify?lang=${locale}`}>
          {t('checkAnother')}
        </a>
      ) : (
        <section className="card">
          {!refused && <h1>{t('title')}</h1>}
          <ReceiptCodeForm typed={typed} malformed={checked?.kind === 'malformed'} locale={locale} />
        </section>
      )}
    </PayShell>
  );
}

/** The icon and colour of each state of a genuine receipt. */
const LOOKS: Readonly<Record<VerifiedReceipt['status'], { readonly icon: IconName; readonly tone: string }>> = {
  paid: { icon: 'check', tone: 'good' },
  part: { icon: 'part', tone: 'wait' },
  back: { icon: 'back', tone: 'bad' },
  backAndPart: { icon: 'back', tone: 'wait' },
  uncounted: { icon: 'question', tone: 'bad' },
};

const TEST_LOOK = { icon: 'stop', tone: 'wait' } as const;

function Genuine({ receipt, now, locale }: { readonly receipt: VerifiedReceipt; readonly now: Date; readonly locale: Locale }) {
  const t = translator(locale, 'Verify');
  const pay = translator(locale, 'Pay');
  const { status } = receipt;
  // Even if a test bill is paid, its receipt must not look like one of a real payment.
  const test = receipt.environment === 'sandbox';
  const { icon, tone } = test ? TEST_LOOK : LOOKS[status];
  return (
    <>
      <section className={`card result ${tone}`} role="status">
        <Icon name={icon} />
        <h1>{test ? t('sandbox') : t(`${status}Title`)}</h1>
        {test && <p>{t('sandboxText', { result: t(`${status}Title`) })}</p>}
        {!test && status !== 'paid' && status !== 'part' && <p>{t(`${status}Text`)}</p>}
        {!test && (
          <p className="sum">
            <b>{formatMoney(receipt.paidAmount)}</b>
          </p>
        )}
        <p className="small">{t('checkedAt', { code: unbroken(receipt.code), time: unbroken(formatInstant(now, locale)) })}</p>
      </section>
      <section className="card">
        <p className="shop">
          <ShopPicture merchant={receipt.merchant} />
          <span>
            <small>{t('paidTo')}</small>
            <b>
              <bdi>{receipt.merchant.merchantName}</bdi>
            </b>
          </span>
        </p>
        <dl>
          <Fact term={pay('reference')}>
            <bdi>{receipt.reference}</bdi>
          </Fact>
          <Fact term={t('billAmount')}>{formatMoney(receipt.amount)}</Fact>
          <Fact term={t('paidNow')}>{formatMoney(receipt.paidAmount)}</Fact>
          {receipt.returns.map(({ id, amount, returnedAt }) => (
            <Fact key={id} term={pay('returnedOn', { day: formatDay(returnedAt, locale) })}>
              {formatMoney(amount)}
            </Fact>
          ))}
          {receipt.remaining > 0n && <Fact term={pay('remaining')}>{formatMoney(receipt.remaining)}</Fact>}
        </dl>
        <h2>{t('payments')}</h2>
        <dl className="payments">
          {receipt.payments.map(({ id, receiptNumber, received, reversed, recordedAt }) => (
            <div key={id}>
              <dt>
                {t('paymentNumber', { number: receiptNumber })}
                <small>{formatInstant(recordedAt, locale)}</small>
                {reversed > 0n && <small className="error">{t('sentBack', { amount: formatMoney(reversed) })}</small>}
              </dt>
              <dd>{formatMoney(received)}</dd>
            </div>
          ))}
        </dl>
      </section>
      <p className="card note">{t('shownTwice')}</p>
    </>
  );
}

interface ReceiptCodeFormProps {
  readonly typed?: string;
  /** Whether the typed text cannot be a receipt code. */
  readonly malformed?: boolean;
  readonly locale: Locale;
}

/** The field for the code of a receipt, which leads to its verification. */
export function ReceiptCodeForm({ typed = '', malformed = false, locale }: ReceiptCodeFormProps) {
  const t = translator(locale, 'Verify');
  return (
    <form action="/verify">
      <input type="hidden" name="lang" value={locale} />
      <label htmlFor="code">{t('codeLabel')}</label>
      <input
        id="code"
        name="code"
        required
        maxLength={40}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        defaultValue={typed}
        aria-describedby={malformed ? 'problem hint' : 'hint'}
        aria-invalid={malformed || undefined}
      />
      {malformed && (
        <p id="problem" className="error" role="alert">
          {t('malformed')}
        </p>
      )}
      <p id="hint" className="hint">
        {t('codeHint')}
      </p>
      <button type="submit">{t('check')}</button>
    </form>
  );
}

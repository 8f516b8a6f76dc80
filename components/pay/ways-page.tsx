import type { AskInstrumentsRefusal } from '@/lib/gateway/instruments/ask-instruments';
import type { OpenPrompt } from '@/lib/gateway/payment-page/pay-state';
import type { PayNumber, PayWays } from '@/lib/gateway/payment-page/pay-ways';
import type { PayPage } from '@/lib/gateway/payment-page/show-pay-page';
import { readQr } from '@/lib/platform/core/emv';
import { isOperatedNetwork, type Network } from '@/lib/platform/core/network';
import { formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { labelOf } from '@/lib/providers/registry';
import { BillFacts, Figure, PaidPart, Purpose } from './bill-facts';
import { shownMobile } from './describe-state';
import { Icon, type IconName } from './icon';
import { Wallet } from './pay-form';
import { Fact, PayShell } from './pay-shell';
import { QrCode } from './qr-code';
import { groupsOf, stepsOf } from './way-steps';

interface WaysPageProps {
  readonly page: PayPage;
  readonly ways: PayWays;
  /** The network of the customer's number; null if it is not known. */
  readonly network: Network | null;
  /** Why the request of this customer was refused; null if there was none. */
  readonly refusal: Exclude<AskInstrumentsRefusal, 'not_payable'> | null;
  readonly locale: Locale;
  readonly now: Date;
  /** Whether the page reloads itself if there is no JavaScript. */
  readonly refresh: boolean;
}

/** The style that only this page inlines. */
export const WAYS_STYLE =
  '.num{display:flex;flex-wrap:wrap;margin:.25rem 0;font-size:2.25rem;font-size:min(2.25rem,8.5vw);line-height:1.25;font-weight:700;font-variant-numeric:tabular-nums}.num span{margin-right:.35em}ol li{margin:.25rem 0}.large{width:calc(100% + 1rem);max-width:none;margin:.25rem -.5rem}';

/** The interval of the reload without JavaScript while an instrument is issued, and later. A reload folds what the customer unfolded. */
const WAITING_SECONDS = 3;
const ISSUED_SECONDS = 30;

/** Returns the address of the page with the other ways to pay a bill. */
export function waysAddress(billId: string, locale: Locale): string {
  return `/pay?bill=${billId}&lang=${locale}&show=ways`;
}

/** The page with the numbers, the QR code and the link with which a bill can be paid without a prompt. It needs no JavaScript. */
export function WaysPage({ page, ways, network, refusal, locale, now, refresh }: WaysPageProps) {
  const { bill } = page;
  const t = translator(locale, 'PayWays');
  const pay = translator(locale, 'Pay');
  const here = waysAddress(bill.id, locale);
  const { icon, tone, title, texts } = describeWays(ways, refusal, locale);
  const shown = isShown(ways);
  const changes = shown || ways.waiting !== null;
  return (
    <PayShell
      locale={locale}
      title={`${title} · ${pay('title', { merchant: bill.merchantName })}`}
      version={waysVersion(page, ways)}
      here={here}
      pace={changes ? 'quick' : page.pace}
      otherLanguage={waysAddress(bill.id, locale === 'sw' ? 'en' : 'sw')}
      merchant={bill}
      style={WAYS_STYLE}
      reload={changes && refresh ? { seconds: shown ? ISSUED_SECONDS : WAITING_SECONDS, address: here } : undefined}
    >
      {bill.environment === 'sandbox' && <p className="test">{pay('sandboxNote')}</p>}
      <OpenPrompts page={page} locale={locale} />
      <section className={`card ${tone}`}>
        <h1 tabIndex={-1}>
          <Icon name={icon} />
          <span>{title}</span>
        </h1>
        <Figure text={formatMoney(ways.amount)} label={bill.paidAmount > 0n ? pay('sumRemaining') : null} />
        <Purpose page={page} />
        <PaidPart page={page} locale={locale} />
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
        <BillFacts page={page} locale={locale} now={now} />
      </section>
      {ways.numbers.map((number) => (
        <NumberCard key={number.text} number={number} amount={formatMoney(ways.amount)} own={network} locale={locale} />
      ))}
      {ways.qr && (
        <section className="card">
          <h2>{t('qrTitle')}</h2>
          <p>{t('qrText')}</p>
          <QrCode text={ways.qr.text} label={t('qrLabel')} large />
          <p className="center">
            {qrAmount(ways.qr.text) === null ? t('enterAmount', { amount: formatMoney(ways.amount) }) : t('qrAmount')}
          </p>
          {ways.qr.expiresAt && (
            <dl>
              <Expiry expiresAt={ways.qr.expiresAt} locale={locale} />
            </dl>
          )}
        </section>
      )}
      {ways.link && (
        <section className="card">
          <h2>{t('cardTitle')}</h2>
          <a className="button" href={ways.link.text} rel="noreferrer">
            {t('card', { provider: labelOf(ways.link.provider) })}
          </a>
          {ways.link.expiresAt && (
            <dl>
              <Expiry expiresAt={ways.link.expiresAt} locale={locale} />
            </dl>
          )}
        </section>
      )}
      {shown && <p className="small">{pay('feeNote')}</p>}
      {ways.askable && (
        <form method="post" action="/pay">
          <input type="hidden" name="show" value="ways" />
          <input type="hidden" name="bill" value={bill.id} />
          <input type="hidden" name="lang" value={locale} />
          <button type="submit">{t(shown || (ways.ended && ways.ended !== 'refused') ? 'askAgain' : 'ask')}</button>
        </form>
      )}
      {changes && (
        <>
          <a className="button" id="again" href={here}>
            {pay('checkAgain')}
          </a>
          <p className="small">
            {pay('checksItself')} {pay('comeBack')}{' '}
            {refresh && (
              <noscript>
                <a href={`${here}&refresh=off`}>{pay('stopRefresh')}</a>
              </noscript>
            )}
          </p>
        </>
      )}
      <p className="center screen">
        <a href={`/pay?bill=${bill.id}&lang=${locale}`}>{translator(locale, 'Receipt')('backToBill')}</a>
      </p>
    </PayShell>
  );
}

/** Returns whether the customer can use anything now. */
function isShown({ numbers, qr, link }: PayWays): boolean {
  return numbers.length > 0 || qr !== null || link !== null;
}

/** Returns a text that changes whenever the content of the page changes. */
export function waysVersion({ version }: Pick<PayPage, 'version'>, ways: Pick<PayWays, 'version'>): string {
  return `${version}.ways.${ways.version}`;
}

interface WaysWords {
  readonly icon: IconName;
  readonly tone: 'do' | 'wait' | 'rest';
  readonly title: string;
  readonly texts: readonly string[];
}

function describeWays(ways: PayWays, refusal: WaysPageProps['refusal'], locale: Locale): WaysWords {
  const t = translator(locale, 'PayWays');
  if (refusal) return { icon: 'pause', tone: 'wait', title: t('open'), texts: [t(refusal)] };
  const ended = ways.ended ? [t(`ended_${ways.ended}`)] : ways.replaced ? [t('replaced')] : [];
  const more = ways.waiting ? [t('more')] : [];
  if (isShown(ways)) return { icon: 'wallet', tone: 'do', title: t('readyTitle'), texts: [...ended, ...more] };
  if (ways.waiting) return { icon: 'clock', tone: 'wait', title: t(`${ways.waiting}Title`), texts: [t(`${ways.waiting}Text`)] };
  if (ways.ended) return { icon: 'clock', tone: 'wait', title: t('open'), texts: ended };
  return ways.askable
    ? { icon: 'wallet', tone: 'do', title: t('open'), texts: [t('intro')] }
    : { icon: 'signal', tone: 'rest', title: t('open'), texts: [t('not_offered')] };
}

/** Returns the amount that a QR code asks for, in senti; null if the customer must type it. */
function qrAmount(text: string): bigint | null {
  const read = readQr(text);
  return typeof read === 'string' ? null : read.amount;
}

interface NumberCardProps {
  readonly number: PayNumber;
  /** The formatted amount. */
  readonly amount: string;
  /** The network of the customer's number; null if it is not known. */
  readonly own: Network | null;
  readonly locale: Locale;
}

/** A number, and how to pay it with each wallet. The steps of the customer's own wallet come first and are unfolded. */
function NumberCard({ number, amount, own, locale }: NumberCardProps) {
  const t = translator(locale, 'PayWays');
  const networks = number.networks.filter(isOperatedNetwork).sort((a, b) => Number(b === own) - Number(a === own));
  return (
    <section className="card">
      <h2>{t('numberTitle')}</h2>
      {/* Without spaces between the groups, a copied number contains only its digits. */}
      <p className="num">
        {groupsOf(number.text).map((digits, group) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a number never change their order.
          <span key={group}>{digits}</span>
        ))}
      </p>
      <dl>
        <Fact term={t('exactAmount')}>{amount}</Fact>
        <Expiry expiresAt={number.expiresAt} locale={locale} />
      </dl>
      {networks.map((network) => (
        <details key={network} id={`way-${number.text.slice(-4)}-${network}`} open={network === own || networks.length === 1}>
          <summary>
            <Wallet network={network} />
          </summary>
          <ol>
            {stepsOf(number, network, amount, locale).map(({ text, dial }) => (
              <li key={text}>{dial === null ? text : <a href={`tel:${dial.replace('#', '%23')}`}>{text}</a>}</li>
            ))}
          </ol>
        </details>
      ))}
      {number.provider !== 'sandbox' && <p className="small">{t('menuNote')}</p>}
    </section>
  );
}

function Expiry({ expiresAt, locale }: { readonly expiresAt: Date | null; readonly locale: Locale }) {
  if (expiresAt === null) return null;
  return <Fact term={translator(locale, 'PayWays')('validUntil')}>{formatInstant(expiresAt, locale)}</Fact>;
}

/** Warns about prompts that can still be approved: a customer who then also pays another way pays twice. */
function OpenPrompts({ page, locale }: Pick<WaysPageProps, 'page' | 'locale'>) {
  const t = translator(locale, 'PayWays');
  const warnings = openPrompts(page).map((prompt) => {
    const about = { mobile: shownMobile(prompt), amount: formatMoney(prompt.attempt.amount) };
    return { id: prompt.attempt.id, text: t(prompt.kind === 'unknown' ? 'warnUnknown' : 'warnPrompt', about) };
  });
  const held = page.state.kind === 'ready' && page.state.failure?.mayStillBePaid ? [{ id: 'held', text: t('warnHeld') }] : [];
  const all = [...warnings, ...held];
  if (all.length === 0) return null;
  return (
    <section className="card wait">
      {all.map(({ id, text }) => (
        <p key={id}>
          <b>{text}</b>
        </p>
      ))}
    </section>
  );
}

function openPrompts({ state, others }: PayPage): readonly OpenPrompt[] {
  if (state.kind === 'decline') return [...state.prompts, ...others];
  return 'attempt' in state ? [state, ...others] : others;
}

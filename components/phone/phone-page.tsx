import { PHONE_SCRIPT } from '@/components/pay/generated/phone-script';
import { PayShell } from '@/components/pay/pay-shell';
import { QrCode } from '@/components/pay/qr-code';
import { WRONG_PIN } from '@/lib/backoffice/phones/operate-phone';
import type { Phone, PhonePayment, PhonePrompt } from '@/lib/backoffice/phones/show-phones';
import { formatMobile } from '@/lib/platform/core/mobile';
import { WALLETS } from '@/lib/platform/core/network';
import { formatClock, groupDigits } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { BillMenu, billFormId, billQuery, type PhoneBill } from './bill-menu';

/** The style of the page of test phones. The phones look the same in both themes. */
const PHONE_STYLE = `
body.wide header,body.wide main,body.wide footer,.off{max-width:66rem}
.phones{display:flex;flex-wrap:wrap;justify-content:center;margin:.5rem -.5rem}
.set{width:100%;max-width:20.5rem;margin:0 .5rem 1.25rem}
.phone{background:#23282f;border:2px solid #0d0f12;border-radius:2rem;padding:1.125rem .875rem 1rem;box-shadow:0 .5rem 1.5rem rgba(0,0,0,.25)}
.phone:before{content:"";display:block;width:3.5rem;height:.3125rem;margin:0 auto .75rem;border-radius:1rem;background:#4a525c}
.screen{display:flex;flex-direction:column;min-height:17.5rem;border-radius:.5rem;background:#dcebe3;color:#10201a;overflow:hidden}
.bar{display:flex;justify-content:space-between;padding:.25rem .625rem;background:#10201a;color:#e9f3ee;font-size:.8125rem;font-weight:600}
.home{margin:auto;padding:1rem;text-align:center}
.home b{display:block;font-size:1.375rem;letter-spacing:.02em}
.dark{background:#0b0e11;color:#c4ccd4}
.ussd{margin:.5rem;padding:.75rem;border-radius:.375rem;background:#fff;color:#111;box-shadow:0 1px 6px rgba(0,0,0,.35);font-size:1rem;line-height:1.4;overflow-wrap:anywhere}
.ussd p{margin:0 0 .5rem}
.ussd .means{color:#4a4a4a;font-size:.8125rem}
.ussd .error{color:#a61b1b;font-size:.875rem}
.ussd label{font-size:.875rem}
.ussd input{width:100%;margin:.125rem 0 .25rem;padding:.25rem .5rem;border:0;border-bottom:2px solid #0b5d3b;border-radius:0;background:#f1f6f3;color:#111;font-size:1.5rem;letter-spacing:.35em}
.ussd .row button{background:transparent;color:#0b5d3b;padding:.625rem .25rem;margin:0}
.ussd .text{letter-spacing:normal;font-size:1.125rem}
.ussd .row a{padding:.625rem .25rem;color:#0b5d3b;font-weight:700;text-align:center}
.home a{color:#0b5d3b;font-weight:700}
.row{display:flex}
.ussd .row{flex-direction:row-reverse}
.row>*{flex:1;margin:0 .1875rem}
.more>*{display:flex}
.keys{display:none;margin:.75rem 0 0;flex-wrap:wrap;justify-content:space-between}
.js .keys{display:flex}
.keys button{width:31.5%;min-height:3rem;margin:.1875rem 0;padding:.375rem;border:1px solid #0d0f12;border-radius:.75rem;background:#3a424c;color:#fff;font-size:1.375rem;font-weight:600;line-height:1.2}
.keys button:active{background:#5a6572}
.row.more{margin:.5rem -.1875rem 0}
.more button,.add button,.more a{padding:.5625rem .25rem;font-size:.875rem}
.more button,.more a{background:#fff;color:#0b5d3b;border:1px solid #0b5d3b;display:flex;align-items:center;justify-content:center;width:100%;margin:0;border-radius:.5rem;text-align:center;font-weight:700;text-decoration:none}
.card h2{font-size:1.25rem}
.set h3{margin:.75rem 0 .25rem;font-size:1rem}
.past{list-style:none;margin:0;padding:0;font-size:.9375rem}
.past li{padding:.375rem 0;border-top:1px solid #d5ddd7;overflow-wrap:anywhere}
.past b{display:block}
.past .PAID b{color:#0b5d3b}
.ringing{border-color:#ffb454}
.add{display:flex;align-items:flex-end;flex-wrap:wrap}
.add div{flex:1 1 12rem;margin-right:.5rem}
.add button{width:auto;padding:.71875rem 1.25rem;margin-bottom:.25rem}
.sound{display:none}
.js .sound{display:flex}
.test{display:inline-block;margin-top:.375rem;padding:.1875rem .75rem}
@media (prefers-reduced-motion:no-preference){.ringing{animation:shake .45s ease-in-out 4}}
@keyframes shake{0%,100%{transform:none}25%{transform:translateX(-4px) rotate(-.6deg)}75%{transform:translateX(4px) rotate(.6deg)}}
@media screen and (prefers-color-scheme:dark){
.phone{border-color:#4a525c}
.past li{border-color:#3a4a41}
.past .PAID b{color:#5fcf98}
.ussd .row button{color:#0b5d3b}
.more button,.more a{background:#18211c;color:#5fcf98;border-color:#5fcf98}
}`.trim();

/** What the page inlines in addition to the style and script that all public pages share. */
export const PHONE_PARTS = { style: PHONE_STYLE, script: PHONE_SCRIPT };

/** The reload interval for browsers without JavaScript. */
const RELOAD_SECONDS = 5;

export type NumberProblem = 'numberWrong' | 'tooMany';

interface PhonePageProps {
  readonly locale: Locale;
  readonly version: string;
  /** The path of the link, without a query. */
  readonly path: string;
  /** The absolute address of the page. */
  readonly address: string;
  /** Whether the address works only on this computer, because it is a loopback address. */
  readonly local: boolean;
  readonly merchantName: string;
  readonly phones: readonly Phone[];
  readonly most: number;
  /** The number that could not be added, and why; null if no number was refused. */
  readonly added: { readonly typed: string; readonly problem: NumberProblem } | null;
  /** Our reference of the prompt for which the person's last answer was refused, for example a wrong PIN; null if no answer was refused. */
  readonly refused: string | null;
  /** The bill that a person pays on one of the phones; null if no menu is open. */
  readonly bill: PhoneBill | null;
}

/** Returns the address of the page that shows the test phones with the numbers `mobiles`. */
export function phonesAddress(path: string, mobiles: readonly string[], locale: Locale): string {
  return `${path}?phones=${mobiles.join('.')}&lang=${locale}`;
}

/** The page with the test phones of a merchant's sandbox. Without JavaScript it reloads, and its forms work. */
export function PhonePage(props: PhonePageProps) {
  const { locale, version, path, address, local, merchantName, phones, most, added, refused, bill } = props;
  const t = translator(locale, 'Phone');
  const mobiles = phones.map(({ mobile }) => mobile);
  const home = phonesAddress(path, mobiles, locale);
  const here = home + billQuery(bill);
  return (
    <PayShell
      locale={locale}
      title={t('title')}
      version={version}
      otherLanguage={phonesAddress(path, mobiles, locale === 'sw' ? 'en' : 'sw') + billQuery(bill)}
      // A reload would erase what the person has typed into the menu.
      reload={bill ? undefined : { seconds: RELOAD_SECONDS, address: here }}
      style={PHONE_STYLE}
      script={PHONE_SCRIPT}
      wide
    >
      <h1>{t('title')}</h1>
      <p className="test">{t('sandbox')}</p>
      <p>{t('intro', { merchant: merchantName, wrong: WRONG_PIN })}</p>
      <p id="lost" className="card bad" role="status" hidden>
        {t('lost')}
      </p>
      <p id="say" role="status" data-text={t('rings')} />
      <label className="check sound">
        <input id="sound" type="checkbox" />
        {t('sound')}
      </label>
      <div id="phones" className="phones" data-here={here}>
        {phones.map((phone) => (
          <PhoneView
            key={phone.mobile}
            phone={phone}
            merchantName={merchantName}
            here={here}
            bill={bill?.mobile === phone.mobile ? { bill, path, here, home, phones: mobiles.join('.'), locale } : null}
            toBill={home + billQuery({ mobile: phone.mobile, number: '', qr: '' })}
            without={
              phones.length < 2
                ? null
                : phonesAddress(
                    path,
                    mobiles.filter((mobile) => mobile !== phone.mobile),
                    locale,
                  )
            }
            refused={refused !== null && refused === phone.ringing?.reference}
            locale={locale}
          />
        ))}
      </div>
      <section className="card">
        <h2>{t('add')}</h2>
        <form className="add" method="get" action={path}>
          <input type="hidden" name="phones" value={mobiles.join('.')} />
          <input type="hidden" name="lang" value={locale} />
          <div>
            <label htmlFor="add">{t('number')}</label>
            <input
              id="add"
              name="add"
              type="tel"
              autoComplete="off"
              required
              maxLength={40}
              defaultValue={added?.typed ?? ''}
              aria-invalid={added ? true : undefined}
              aria-describedby={added ? 'add-problem' : undefined}
            />
          </div>
          <button type="submit">{t('addButton')}</button>
        </form>
        {added && (
          <p className="error" id="add-problem" role="alert">
            {t(added.problem, { most })}
          </p>
        )}
      </section>
      <details className="card" id="share">
        <summary>{t('share')}</summary>
        <p>{t('shareText', { merchant: merchantName })}</p>
        {local && <p className="hint">{t('shareLocal')}</p>}
        <QrCode text={address} label={t('qr')} large />
      </details>
    </PayShell>
  );
}

/** The page of a link that is forged, has expired or was ended. */
export function InvalidPhoneLink({ locale, path }: { readonly locale: Locale; readonly path: string }) {
  const t = translator(locale, 'Phone');
  return (
    <PayShell locale={locale} title={t('invalidTitle')} version="invalid" otherLanguage={`${path}?lang=${locale === 'sw' ? 'en' : 'sw'}`}>
      <section className="card bad">
        <h1>{t('invalidTitle')}</h1>
        <p>{t('invalidText')}</p>
      </section>
    </PayShell>
  );
}

interface PhoneViewProps {
  readonly phone: Phone;
  readonly merchantName: string;
  /** The address of the page, to which the forms are sent. */
  readonly here: string;
  /** The address of the page without this phone; null if the page shows only this phone. */
  readonly without: string | null;
  /** The open menu "Pay a bill" of this phone; null if it is closed. */
  readonly bill: Parameters<typeof BillMenu>[0] | null;
  /** The address of the page with this menu open. */
  readonly toBill: string;
  /** Whether the person's last answer to this phone's prompt was refused, for example because the PIN did not have four digits. */
  readonly refused: boolean;
  readonly locale: Locale;
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** One test phone: its screen, its keys, its switches and its messages. */
function PhoneView({ phone, merchantName, here, bill, toBill, without, refused, locale }: PhoneViewProps) {
  const t = translator(locale, 'Phone');
  const { mobile, ringing, isOn, hasMoney, network } = phone;
  const menu = isOn ? bill : null;
  const form = ringing ? `menu-${ringing.reference}` : menu ? billFormId(mobile) : undefined;
  const messages = messagesOf(phone, locale);
  const number = formatMobile(mobile);
  return (
    <section className="set" aria-label={number}>
      <div className={ringing ? 'phone ringing' : 'phone'} data-ring={ringing?.reference}>
        <div className={isOn ? 'screen' : 'screen dark'}>
          <div className="bar">
            <span>{isOn ? WALLETS[network] : ''}</span>
            <span>{number}</span>
          </div>
          {ringing ? (
            <Menu ring={ringing} merchantName={merchantName} here={here} refused={refused} locale={locale} />
          ) : menu ? (
            <BillMenu {...menu} />
          ) : (
            <div className="home">
              <b>{number}</b>
              <p>{isOn ? t('idle', { mobile: number }) : t('off')}</p>
              {!hasMoney && isOn && <p>{t('walletEmpty')}</p>}
              {isOn && (
                <p>
                  <a href={toBill}>{t('payBill')}</a>
                </p>
              )}
            </div>
          )}
        </div>
        <fieldset className="keys" aria-label={t('keypad', { mobile: number })} disabled={form === undefined}>
          {KEYS.map((key) => (
            <button key={key} type="button" data-key={key}>
              {key}
            </button>
          ))}
          <button type="button" data-key="erase" aria-label={t('erase')}>
            ⌫
          </button>
          <button type="button" data-key="0">
            0
          </button>
          <button
            type="submit"
            form={form}
            {...((ringing || menu?.bill.payable) && { name: 'do', value: ringing ? 'answer' : 'pay' })}
            aria-label={t('send')}
          >
            ✓
          </button>
        </fieldset>
      </div>
      <div className="row more">
        <Switch here={here} mobile={mobile} name="power" value={isOn ? 'off' : 'on'} text={t(isOn ? 'switchOff' : 'switchOn')} />
        <Switch
          here={here}
          mobile={mobile}
          name="money"
          value={hasMoney ? 'none' : 'some'}
          text={t(hasMoney ? 'emptyWallet' : 'fillWallet')}
        />
        {without !== null && (
          <div>
            <a href={without} aria-label={t('removePhone', { mobile: number })}>
              {t('remove')}
            </a>
          </div>
        )}
      </div>
      <h3>{t('past')}</h3>
      {messages.length === 0 ? <p className="small">{t('noPast')}</p> : <ul className="past">{messages.map(({ message }) => message)}</ul>}
    </section>
  );
}

/** The menu that asks for the PIN, in the language in which the networks send it, with a translation for readers of English. */
function Menu({
  ring,
  merchantName,
  here,
  refused,
  locale,
}: Pick<PhoneViewProps, 'merchantName' | 'here' | 'refused' | 'locale'> & { readonly ring: PhonePrompt }) {
  const t = translator(locale, 'Phone');
  const s = translator('sw', 'Phone');
  const values = { amount: groupDigits(ring.amount), payee: merchantName.toUpperCase(), reference: ring.billReference ?? ring.reference };
  const key = menuKey(ring.network);
  const id = `pin-${ring.reference}`;
  return (
    <form className="ussd" id={`menu-${ring.reference}`} method="post" action={here} data-send="">
      <p lang="sw" id={`${id}-text`}>
        {s(key, values)}
      </p>
      {locale === 'en' && <p className="means">{t('means', { text: t(key, values) })}</p>}
      <input type="hidden" name="reference" value={ring.reference} />
      <label htmlFor={id}>{t('pin')}</label>
      <input
        id={id}
        name="pin"
        data-keys=""
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        aria-describedby={refused ? `${id}-problem ${id}-text` : `${id}-text`}
        aria-invalid={refused ? true : undefined}
      />
      {refused && (
        <p className="error" id={`${id}-problem`} role="alert">
          {t('pinLength')}
        </p>
      )}
      <div className="row">
        {/* Enter presses the first button of a form, so this must be the button that sends. The style shows it second. */}
        <button type="submit" name="do" value="answer">
          {t('send')}
        </button>
        <button type="submit" name="do" value="decline">
          {t('cancel')}
        </button>
      </div>
    </form>
  );
}

function Switch({ here, mobile, name, value, text }: { readonly [key in 'here' | 'mobile' | 'name' | 'value' | 'text']: string }) {
  return (
    <form method="post" action={here} data-send="">
      <input type="hidden" name="mobile" value={mobile} />
      <input type="hidden" name={name} value={value} />
      <button type="submit" name="do" value="switch" id={`${name}-${mobile}`}>
        {text}
      </button>
    </form>
  );
}

/** Returns the messages of a phone, newest first: about prompts, and about bills that it paid without one. */
function messagesOf({ past, paid }: Phone, locale: Locale) {
  return [
    ...past.map((ring) => ({ at: ring.createdAt, message: <Message key={ring.reference} ring={ring} locale={locale} /> })),
    ...paid.map((payment) => ({ at: payment.paidAt, message: <Paid key={payment.receipt} payment={payment} locale={locale} /> })),
  ].toSorted((a, b) => b.at.getTime() - a.at.getTime());
}

function Paid({ payment, locale }: { readonly payment: PhonePayment; readonly locale: Locale }) {
  const { receipt, amount, number, paidAt } = payment;
  return (
    <li className="PAID">
      <b>{translator(locale, 'Phone')('past_PAID', { receipt })}</b>
      TZS {groupDigits(amount)} · {number} · {formatClock(paidAt)}
    </li>
  );
}

function Message({ ring, locale }: { readonly ring: PhonePrompt; readonly locale: Locale }) {
  const t = translator(locale, 'Phone');
  const { status, missed, receipt, amount, billReference, reference, createdAt } = ring;
  const kind = missed ? 'missed' : outcomeOf(status);
  return (
    <li className={kind}>
      <b>{t(`past_${kind}`, { receipt })}</b>
      TZS {groupDigits(amount)} · {billReference ?? reference} · {formatClock(createdAt)}
    </li>
  );
}

const OUTCOMES = ['PAID', 'REVERSED', 'DECLINED', 'WRONG_PIN', 'INSUFFICIENT_BALANCE', 'EXPIRED'] as const;

function outcomeOf(status: string | null) {
  return OUTCOMES.find((outcome) => outcome === status) ?? 'open';
}

const MENUS = ['vodacom', 'yas', 'airtel', 'halotel', 'ttcl'] as const;

function menuKey(network: string) {
  return `ussd_${MENUS.find((known) => known === network) ?? 'other'}` as const;
}

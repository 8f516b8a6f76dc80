import { formatMobile } from '@/lib/core/mobile';
import { WALLETS } from '@/lib/core/network';
import { formatClock, groupDigits } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { Phone, PhonePrompt } from '@/lib/phones/show-phones';

interface PhoneViewProps {
  readonly phone: Phone;
  readonly merchantName: string;
  /** The address of the page, to which the forms are sent. */
  readonly here: string;
  /** The address of the page without this phone; null if the page shows only this phone. */
  readonly without: string | null;
  /** Whether the person's last answer to this phone's prompt was refused, for example because the PIN did not have four digits. */
  readonly refused: boolean;
  readonly locale: Locale;
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** One test phone: its screen, its keys, its switches and its messages. */
export function PhoneView({ phone, merchantName, here, without, refused, locale }: PhoneViewProps) {
  const t = translator(locale, 'Phone');
  const { mobile, ringing, isOn, hasMoney, network, past } = phone;
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
          ) : (
            <div className="home">
              <b>{number}</b>
              <p>{isOn ? t('idle', { mobile: number }) : t('off')}</p>
              {!hasMoney && isOn && <p>{t('walletEmpty')}</p>}
            </div>
          )}
        </div>
        <fieldset className="keys" aria-label={t('keypad', { mobile: number })} disabled={!ringing}>
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
          <button type="submit" form={ringing ? `menu-${ringing.reference}` : undefined} name="do" value="answer" aria-label={t('send')}>
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
      {past.length === 0 ? (
        <p className="small">{t('noPast')}</p>
      ) : (
        <ul className="past">
          {past.map((ring) => (
            <Message key={ring.reference} ring={ring} locale={locale} />
          ))}
        </ul>
      )}
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

import { PHONE_SCRIPT } from '@/components/pay/generated/phone-script';
import { PayShell } from '@/components/pay/pay-shell';
import { QrCode } from '@/components/pay/qr-code';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { WRONG_PIN } from '@/lib/phones/operate-phone';
import type { Phone } from '@/lib/phones/show-phones';
import { PhoneView } from './phone-view';
import { PHONE_STYLE } from './style';

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
}

/** Returns the address of the page that shows the test phones with the numbers `mobiles`. */
export function phonesAddress(path: string, mobiles: readonly string[], locale: Locale): string {
  return `${path}?phones=${mobiles.join('.')}&lang=${locale}`;
}

/** The page with the test phones of a merchant's sandbox. Without JavaScript it reloads, and its forms work. */
export function PhonePage(props: PhonePageProps) {
  const { locale, version, path, address, local, merchantName, phones, most, added, refused } = props;
  const t = translator(locale, 'Phone');
  const mobiles = phones.map(({ mobile }) => mobile);
  const here = phonesAddress(path, mobiles, locale);
  return (
    <PayShell
      locale={locale}
      title={t('title')}
      version={version}
      otherLanguage={phonesAddress(path, mobiles, locale === 'sw' ? 'en' : 'sw')}
      reload={{ seconds: RELOAD_SECONDS, address: here }}
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

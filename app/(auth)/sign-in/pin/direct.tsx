import { type Guest, type GuestAnswer, guestPage, sessionCookieOf, wantedPath } from '@/app/(auth)/guest-page';
import { More, Tell } from '@/components/auth/auth-page';
import { PinField, SendForm } from '@/components/auth/fields';
import { readUntil, waitTime } from '@/components/dashboard/wait-time';
import { Icon } from '@/components/pay/icon';
import { cashierCookie } from '@/lib/entry/server/device-cookie';
import { landingPath } from '@/lib/entry/server/landing-path';
import { type DeviceCashier, listDeviceCashiers, signInWithPin } from '@/lib/identity/accounts/sign-in/sign-in-with-pin';
import { translator } from '@/lib/platform/i18n/translator';

/** Sign-in of a cashier with a PIN. Redirects a device on which no cashier has joined to the ordinary sign-in page. */
async function show(guest: Guest): Promise<GuestAnswer> {
  const { runtime, query, locale } = guest;
  const t = translator(locale, 'PinSignIn');
  const wanted = wantedPath(guest, query);
  const problem = query.get('problem');
  const byEmail = `/sign-in?${new URLSearchParams({ by: 'email', callbackUrl: wanted })}`;
  const cashiers = await listDeviceCashiers(runtime, guest.cashiers);
  const [first] = cashiers;
  if (!first) return { to: byEmail };
  const device = query.get('device');
  const chosen = cashiers.find((one) => one.device === device) ?? first;
  const wait = readUntil(query.get('until') ?? undefined, runtime.clock());
  const content = (
    <>
      {problem === 'unknown_device' && (
        <Tell tone="bad" role="alert">
          <p>{t('unknownDevice')}</p>
        </Tell>
      )}
      {chosen.locked && (
        <Tell tone="bad" role="alert" title={t('lockedTitle')}>
          <p>{t('lockedText')}</p>
        </Tell>
      )}
      {wait && (
        <Tell tone="wait" role="alert">
          <p>{t('wait', { time: waitTime(wait, locale) })}</p>
        </Tell>
      )}
      <SendForm hidden={{ callbackUrl: wanted }} button={t('button')}>
        <Cashiers cashiers={cashiers} chosen={chosen} legend={t('who')} locked={t('locked')} />
        <PinField
          id="pin"
          label={t('pin')}
          hint={t('forgot')}
          problem={problem === 'wrong' && !chosen.locked ? t('wrong', { left: Number(query.get('left')) || 0 }) : null}
          autoFocus
        />
      </SendForm>
      <More links={[{ href: byEmail, text: t('byEmail') }]} />
    </>
  );
  return { title: t('title'), content };
}

/** Checks the PIN of a cashier on a known device, opens the session and redirects to the page that the cashier wanted. */
async function send(guest: Guest, form: URLSearchParams): Promise<GuestAnswer> {
  const { runtime, session, address, userAgent, cashiers } = guest;
  const callbackUrl = wantedPath(guest, form);
  const device = form.get('device') ?? '';
  const given = { device, pin: form.get('pin') ?? '', devices: cashiers };
  const signedIn = await signInWithPin(runtime, { ...given, session, address, userAgent });
  if (signedIn.ok) {
    const { token, userId, device: entered } = signedIn.value;
    const cookies = [await sessionCookieOf(guest, token), cashierCookie(runtime, userId, entered)];
    return { to: await landingPath(runtime, token, callbackUrl), cookies };
  }
  const { error } = signedIn;
  const why = error.code === 'wrong' ? { left: String(error.left) } : error.code === 'wait' ? { until: error.until.toISOString() } : {};
  return { to: `/sign-in/pin?${new URLSearchParams({ problem: error.code, device, ...why, callbackUrl })}` };
}

export const pinSignIn = guestPage(show, send);

interface CashiersProps {
  readonly cashiers: readonly DeviceCashier[];
  readonly chosen: DeviceCashier;
  readonly legend: string;
  readonly locked: string;
}

/** The name of the cashier, or a choice if several cashiers share the device. */
function Cashiers({ cashiers, chosen, legend, locked }: CashiersProps) {
  if (cashiers.length === 1) {
    return (
      <div className="who field">
        <input type="hidden" name="device" value={chosen.device} />
        <Icon name="person" />
        <span>
          <b>{chosen.name}</b> {chosen.merchantName}
        </span>
      </div>
    );
  }
  return (
    <fieldset className="field">
      <legend>{legend}</legend>
      {cashiers.map((one) => (
        <label key={one.device} className="pick">
          <input type="radio" name="device" value={one.device} defaultChecked={one === chosen} />
          <span>
            <b>{one.name}</b> {one.merchantName}
            {one.locked && <b className="error">{locked}</b>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

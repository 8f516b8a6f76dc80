import { type Guest, type GuestAnswer, guestPage, sessionCookieOf } from '@/app/(auth)/guest-page';
import { Tell } from '@/components/auth/auth-page';
import { Field, OwnerOfPassword, PasswordField, PinField, SendForm } from '@/components/auth/fields';
import { cashierCookie } from '@/lib/entry/server/device-cookie';
import { typedEmailCookie } from '@/lib/entry/server/typed-email';
import { dashboardPath } from '@/lib/identity/accounts/access/grant-access';
import { PASSWORD_MIN } from '@/lib/identity/accounts/passwords/password-limits';
import { acceptInvitation, type InvitationView, showInvitation } from '@/lib/identity/accounts/team/accept-invitation';
import { type CashierInvitation, joinAsCashier, showCashierInvitation } from '@/lib/identity/accounts/team/join-as-cashier';
import { actorName } from '@/lib/identity/audit/actor-name';
import { formatMobile } from '@/lib/platform/core/mobile';
import { translator } from '@/lib/platform/i18n/translator';

/** What is wrong with a sent form, by field, and the typed name. */
interface Sent {
  readonly name?: string;
  readonly problems: Readonly<Partial<Record<'name' | 'password' | 'pin' | 'repeated', string>>>;
}

const NOTHING_SENT: Sent = { problems: {} };

/** Accepts an invitation: a new person enters a name and a password, and a person with an account must be signed in. */
async function show(guest: Guest): Promise<GuestAnswer> {
  return page(guest, NOTHING_SENT);
}

async function page(guest: Guest, sent: Sent): Promise<GuestAnswer> {
  const { runtime, session, locale } = guest;
  const token = tokenOf(guest);
  const status = sent === NOTHING_SENT ? 200 : 422;
  const cashier = await showCashierInvitation(runtime, token);
  if (cashier) {
    const title = translator(locale, 'CashierJoin')('title', { merchant: cashier.merchantName });
    return { title, status, content: <ForCashier {...{ guest, cashier, sent }} />, ...(cashier.state !== 'open' && { art: 'error' }) };
  }
  const found = await showInvitation(runtime, { token, session });
  const t = translator(locale, 'Invitation');
  if (found) {
    const content = found.state === 'open' ? <Open {...{ guest, found, sent }} /> : <Closed {...{ guest, found }} />;
    return { title: t('title', { merchant: found.merchantName }), status, content, ...(found.state !== 'open' && { art: 'error' }) };
  }
  const content = (
    <>
      <Tell tone="bad">
        <p>{t('unknown')}</p>
      </Tell>
      <SignInLink text={t('signIn')} />
    </>
  );
  return { title: t('plainTitle'), status: 404, content, art: 'notFound' };
}

function tokenOf({ path }: Guest): string {
  return path.split('/')[2] ?? '';
}

interface ForCashierProps {
  readonly guest: Guest;
  readonly cashier: CashierInvitation;
  readonly sent: Sent;
}

/** An invited cashier chooses a PIN, on the phone on which the cashier opened the link. */
function ForCashier({ guest: { locale }, cashier: { state, name, mobile }, sent: { problems } }: ForCashierProps) {
  const t = translator(locale, 'CashierJoin');
  if (state !== 'open') {
    return (
      <>
        <Tell tone="wait">
          <p>{t(state)}</p>
        </Tell>
        <SignInLink text={t('signIn')} />
      </>
    );
  }
  return (
    <>
      <p className="lead">{t('intro', { name, mobile: formatMobile(mobile) })}</p>
      <SendForm hidden={{ do: 'join' }} button={t('start')}>
        <PinField id="pin" label={t('pin')} hint={t('pinHint')} problem={problems.pin} fresh />
        <PinField id="repeated" label={t('repeat')} problem={problems.repeated} fresh />
      </SendForm>
    </>
  );
}

interface FoundProps {
  readonly guest: Guest;
  readonly found: InvitationView;
}

/** An invitation that was accepted, has expired or was revoked. Whoever is in the team can sign in, and others learn whom to ask. */
function Closed({ guest: { locale }, found: { state, slug, invitedBy } }: FoundProps) {
  const t = translator(locale, 'Invitation');
  if (state === 'open') return null;
  return (
    <>
      <Tell tone="wait">
        <p>{t(state)}</p>
        {state !== 'used' && <p>{t('invitedBy', { name: actorName(invitedBy, locale) })}</p>}
      </Tell>
      <SignInLink text={t('signIn')} href={`/m/${slug}/live/bills`} />
    </>
  );
}

function SignInLink({ text, href = '/sign-in' }: { readonly text: string; readonly href?: string }) {
  return (
    <a href={href} className="button">
      {text}
    </a>
  );
}

function Open({ guest: { locale }, found, sent: { name, problems } }: FoundProps & { readonly sent: Sent }) {
  const t = translator(locale, 'Invitation');
  const { reader, email, signedInAs, merchantName: merchant } = found;
  if (reader === 'other') {
    return (
      <>
        <Tell tone="bad">
          <p>{t('wrong_person', { email, other: signedInAs ?? '' })}</p>
        </Tell>
        <a href="/sign-out" className="button">
          {t('signOut')}
        </a>
      </>
    );
  }
  return (
    <>
      <p className="lead">{t('intro', { merchant, role: translator(locale, 'Shell')(`role_${found.role}`), email })}</p>
      {reader === 'known' && (
        <>
          <p>{t('sign_in_first', { email })}</p>
          <SendForm hidden={{ do: 'sign-in' }} button={t('signIn')} />
        </>
      )}
      {reader === 'invited' && <SendForm hidden={{ do: 'accept' }} button={t('accept', { merchant })} />}
      {reader === 'new' && (
        <SendForm hidden={{ do: 'accept' }} button={t('accept', { merchant })}>
          <p>{t('newText')}</p>
          <OwnerOfPassword email={email} />
          <Field id="name" label={t('name')} defaultValue={name} problem={problems.name} required maxLength={100} autoComplete="name" />
          <PasswordField
            id="password"
            label={t('password')}
            hint={t('passwordHint', { least: String(PASSWORD_MIN) })}
            problem={problems.password}
            locale={locale}
            autoComplete="new-password"
          />
        </SendForm>
      )}
    </>
  );
}

async function send(guest: Guest, form: URLSearchParams): Promise<GuestAnswer> {
  switch (form.get('do')) {
    case 'accept':
      return accept(guest, form);
    case 'join':
      return join(guest, form);
    default:
      return leadToSignIn(guest);
  }
}

/** Accepts an invitation. */
async function accept(guest: Guest, form: URLSearchParams): Promise<GuestAnswer> {
  const { runtime, session, address, locale } = guest;
  const name = form.get('name') ?? '';
  const password = form.get('password');
  const person = password === null ? null : { name, password };
  const accepted = await acceptInvitation(runtime, { token: tokenOf(guest), session, person, address });
  if (accepted.ok) {
    const { slug, environment, email, signInDue } = accepted.value;
    const welcome = dashboardPath({ slug, environment, page: 'welcome' });
    if (!signInDue) return { to: welcome };
    const to = `/sign-in?${new URLSearchParams({ joined: '1', callbackUrl: welcome })}`;
    return { to, cookies: [typedEmailCookie(runtime, email)] };
  }
  const t = translator(locale, 'Invitation');
  switch (accepted.error) {
    case 'name_wrong':
      return page(guest, { name, problems: { name: t(accepted.error) } });
    case 'too_short':
    case 'too_long':
    case 'too_common':
    case 'too_personal':
      return page(guest, { name, problems: { password: t(accepted.error, { least: String(PASSWORD_MIN) }) } });
    // The page itself shows problems of the invitation, for example that it has expired.
    default:
      return { to: guest.path };
  }
}

/** Accepts the invitation of a cashier: stores this device as the cashier's device, signs the cashier in and redirects to the counter. */
async function join(guest: Guest, form: URLSearchParams): Promise<GuestAnswer> {
  const { runtime, cashiers, locale, session, address, userAgent } = guest;
  const pins = { pin: form.get('pin') ?? '', repeated: form.get('repeated') ?? '' };
  const joined = await joinAsCashier(runtime, { session, address, userAgent, ...pins, token: tokenOf(guest), devices: cashiers });
  if (joined.ok) {
    const { userId, device, slug, environment, token } = joined.value;
    const cookies = [cashierCookie(runtime, userId, device), await sessionCookieOf(guest, token)];
    return { to: dashboardPath({ slug, environment, page: 'counter' }), cookies };
  }
  const { error } = joined;
  const t = translator(locale, 'CashierJoin');
  if (error === 'pin_not_six_digits' || error === 'pin_too_easy') return page(guest, { problems: { pin: t(error) } });
  if (error === 'pins_differ') return page(guest, { problems: { repeated: t(error) } });
  // The page itself shows problems of the invitation, for example that it has expired.
  return { to: guest.path };
}

/**
 * Redirects a person who already has an account to the sign-in page, where the e-mail address is filled in. After signing in, the person
 * returns to the invitation.
 */
async function leadToSignIn(guest: Guest): Promise<GuestAnswer> {
  const { runtime, path } = guest;
  const found = await showInvitation(runtime, { token: tokenOf(guest), session: null });
  const to = `/sign-in?${new URLSearchParams({ callbackUrl: path })}`;
  return { to, cookies: [found && typedEmailCookie(runtime, found.email)] };
}

export const invitation = guestPage(show, send);

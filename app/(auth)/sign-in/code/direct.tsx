import { type Guest, type GuestAnswer, guestPage, sessionCookieOf, wantedPath } from '@/app/(auth)/guest-page';
import { More, Tell } from '@/components/auth/auth-page';
import { Field, SendForm } from '@/components/auth/fields';
import { readUntil, waitTime } from '@/components/dashboard/wait-time';
import { deviceCookie } from '@/lib/entry/server/device-cookie';
import { landingPath } from '@/lib/entry/server/landing-path';
import { isCodeDue } from '@/lib/identity/accounts/access/sessions';
import { completeSignIn } from '@/lib/identity/accounts/sign-in/sign-in';
import { translator } from '@/lib/platform/i18n/translator';

/** The second step of signing in. Redirects to the first step if no password was checked before. */
async function show(guest: Guest): Promise<GuestAnswer> {
  const { runtime, query, locale, session } = guest;
  const t = translator(locale, 'SignInMore');
  const wanted = wantedPath(guest, query);
  if (!(await isCodeDue(runtime, session))) return { to: `/sign-in?${new URLSearchParams({ callbackUrl: wanted })}` };
  const wait = readUntil(query.get('until') ?? undefined, runtime.clock());
  const content = (
    <>
      <p className="lead">{t('codeIntro')}</p>
      {wait && (
        <Tell tone="wait" role="alert">
          <p>{t('wait', { time: waitTime(wait, locale) })}</p>
          <p className="small">{t('codeWaitHint')}</p>
        </Tell>
      )}
      <SendForm hidden={{ callbackUrl: wanted }} button={t('codeButton')}>
        <Field
          id="code"
          label={t('code')}
          problem={query.has('wrong') && !wait ? t('codeWrong') : null}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          required
          maxLength={30}
        />
      </SendForm>
      <details>
        <summary>{t('recoveryTitle')}</summary>
        <p>{t('recoveryText')}</p>
        <p className="small">{t('recoveryLost')}</p>
      </details>
      <More links={[{ href: '/sign-in', text: t('startAgain') }]} />
    </>
  );
  return { title: t('codeTitle'), content };
}

/** Checks the one-time code, opens the session and redirects to the page that the person wanted. */
async function send(guest: Guest, form: URLSearchParams): Promise<GuestAnswer> {
  const { runtime, session, devices, address } = guest;
  const callbackUrl = wantedPath(guest, form);
  const completed = await completeSignIn(runtime, { token: session, code: form.get('code') ?? '', devices, address });
  if (completed.ok) {
    const { userId, device, token } = completed.value;
    const cookies = [await sessionCookieOf(guest, token), deviceCookie(runtime, userId, device)];
    return { to: await landingPath(runtime, token, callbackUrl), cookies };
  }
  const { error } = completed;
  if (error.code === 'signed_out') return { to: `/sign-in?${new URLSearchParams({ error: 'Expired', callbackUrl })}` };
  const reason = error.code === 'wait' ? { until: error.until.toISOString() } : { wrong: '1' };
  return { to: `/sign-in/code?${new URLSearchParams({ ...reason, callbackUrl })}` };
}

export const codeSignIn = guestPage(show, send);

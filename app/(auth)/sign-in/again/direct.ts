import { type Guest, type GuestAnswer, guestPage, sessionCookieOf } from '@/app/(auth)/guest-page';
import { waitTime } from '@/components/dashboard/wait-time';
import type { SignInAnswer } from '@/components/ui/forms/sign-in-again';
import type { Cookie } from '@/lib/entry/http/cookies';
import { cashierCookie, deviceCookie } from '@/lib/entry/server/device-cookie';
import { completeSignIn, isCredential, signIn } from '@/lib/identity/accounts/sign-in/sign-in';
import { listDeviceCashiers, signInWithPin } from '@/lib/identity/accounts/sign-in/sign-in-with-pin';
import { translator } from '@/lib/platform/i18n/translator';

/** Lists the cashiers of this device for the dialog about an ended session, which then asks for a PIN instead of a password. */
async function show({ runtime, cashiers }: Guest): Promise<GuestAnswer> {
  const found = await listDeviceCashiers(runtime, cashiers);
  return { data: found.filter(({ locked }) => !locked).map(({ device, name }) => ({ device, name })) };
}

/** Signs in for the dialog about an ended session. The page below the dialog stays, with everything that was typed into it. */
async function send(guest: Guest, form: URLSearchParams): Promise<GuestAnswer> {
  switch (form.get('do')) {
    case 'pin':
      return byPin(guest, form.get('device') ?? '', form.get('pin') ?? '');
    case 'code':
      return byCode(guest, form.get('code') ?? '');
    default:
      return byPassword(guest, form.get('email') ?? '', form.get('password') ?? '');
  }
}

const answer = (data: SignInAnswer, ...cookies: Cookie[]): GuestAnswer => ({ data, cookies });

async function byPassword(guest: Guest, email: string, password: string): Promise<GuestAnswer> {
  const { runtime, locale, userAgent, address, devices, session } = guest;
  const t = translator(locale, 'SignIn');
  if (!isCredential(email, password)) return answer({ problem: t('wrong') });
  const signedIn = await signIn(runtime, { email, password, userAgent, address, devices, session });
  if (signedIn.ok) {
    const { user, token, codeDue, device } = signedIn.value;
    const cookie = await sessionCookieOf(guest, token);
    return codeDue ? answer({ next: 'code' }, cookie) : answer({ next: null }, cookie, deviceCookie(runtime, user.id, device));
  }
  const { error } = signedIn;
  if (error.code === 'wait') return answer({ problem: tooMany(guest, error.until) });
  return answer({ problem: t(error.code === 'expired' ? 'passwordExpired' : 'wrong') });
}

async function byCode(guest: Guest, code: string): Promise<GuestAnswer> {
  const { runtime, locale, address, devices, session } = guest;
  const completed = await completeSignIn(runtime, { token: session, code, devices, address });
  if (completed.ok) {
    const { userId, token, device } = completed.value;
    return answer({ next: null }, await sessionCookieOf(guest, token), deviceCookie(runtime, userId, device));
  }
  const { error } = completed;
  if (error.code === 'signed_out') return answer({ next: 'password' });
  return answer({ problem: error.code === 'wait' ? tooMany(guest, error.until) : translator(locale, 'SignInMore')('codeWrong') });
}

async function byPin(guest: Guest, device: string, pin: string): Promise<GuestAnswer> {
  const { runtime, locale, userAgent, address, session, cashiers } = guest;
  const t = translator(locale, 'PinSignIn');
  const signedIn = await signInWithPin(runtime, { device, pin, devices: cashiers, userAgent, address, session });
  if (signedIn.ok) {
    const { token, userId, device: entered } = signedIn.value;
    return answer({ next: null }, await sessionCookieOf(guest, token), cashierCookie(runtime, userId, entered));
  }
  const { error } = signedIn;
  if (error.code === 'wait') return answer({ problem: tooMany(guest, error.until) });
  if (error.code === 'wrong') return answer({ problem: t('wrong', { left: error.left }) });
  return answer({ problem: t(error.code === 'locked' ? 'lockedText' : 'unknownDevice') });
}

function tooMany({ locale }: Guest, until: Date): string {
  return translator(locale, 'SignInMore')('wait', { time: waitTime(until, locale) });
}

export const signInAgain = guestPage(show, send);

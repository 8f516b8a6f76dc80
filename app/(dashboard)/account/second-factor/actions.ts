'use server';

import { cookies } from 'next/headers';
import { deviceCookie } from '@/lib/entry/server/device-cookie';
import { formAction, ofAccount, optional, plainAction } from '@/lib/entry/server/form-action';
import { newDeviceId } from '@/lib/identity/accounts/device';
import {
  confirmSecondFactorSetup,
  renewRecoveryCodes,
  startSecondFactor,
  switchOffSecondFactor,
} from '@/lib/identity/accounts/sign-in/manage-second-factor';
import { translator } from '@/lib/platform/i18n/translator';

const PAGE = '/account/second-factor';

/** Creates a secret for a new second factor. The page shows the secret after the user has confirmed their identity. */
export const startAction = plainAction(ofAccount(PAGE), {}, async ({ runtime, account }) => {
  await startSecondFactor(runtime, account);
  return PAGE;
});

/**
 * Turns on the second factor if the form contains a one-time code. Otherwise only replaces the recovery codes of a second factor that is
 * already on. In both cases, returns new recovery codes, which are never shown again.
 */
export const codesAction = formAction(ofAccount(PAGE), { code: optional }, async ({ runtime, account, locale }, { code }) => {
  const codes = code === null ? await renewRecoveryCodes(runtime, account) : await confirmSecondFactorSetup(runtime, account, code);
  if (codes.ok && code !== null) (await cookies()).set(deviceCookie(runtime, account.user.id, newDeviceId(runtime.random, 'code')));
  if (codes.ok) return { done: { codes: codes.value, switchedOn: code !== null } };
  const problem = translator(locale, 'Account')(codes.error === 'wrong' ? 'codeWrong' : codes.error);
  return { typed: { code: '' }, problems: { [code === null ? 'all' : 'code']: problem } };
});

export const removeAction = plainAction(ofAccount(PAGE), {}, async ({ runtime, account }) => {
  const removed = await switchOffSecondFactor(runtime, account);
  return removed ? `${PAGE}?off` : PAGE;
});

'use server';

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import type { CodesState } from '@/components/dashboard/account/second-factor-panel';
import { newDeviceId } from '@/lib/accounts/device';
import {
  confirmSecondFactorSetup,
  renewRecoveryCodes,
  startSecondFactor,
  switchOffSecondFactor,
} from '@/lib/accounts/second-factor/manage-second-factor';
import { translator } from '@/lib/i18n/translator';
import { deviceCookie } from '@/lib/server/device-cookie';
import { formText, openAccountAction } from '@/lib/server/visit';

const PAGE = '/account/second-factor';

/** Creates a secret for a new second factor. The page shows the secret after the user has confirmed their identity. */
export async function startAction(): Promise<void> {
  const { runtime, account } = await openAccountAction(PAGE);
  await startSecondFactor(runtime, account);
  redirect(PAGE);
}

/**
 * Turns on the second factor if the form contains a one-time code. Otherwise only replaces the recovery codes of a second factor that is
 * already on. In both cases, returns new recovery codes, which are never shown again.
 */
export async function codesAction(_before: CodesState, form: FormData): Promise<CodesState> {
  const { runtime, account, locale } = await openAccountAction(PAGE);
  const code = form.has('code') ? formText(form, 'code') : null;
  const codes = code === null ? await renewRecoveryCodes(runtime, account) : await confirmSecondFactorSetup(runtime, account, code);
  if (codes.ok && code !== null) (await cookies()).set(deviceCookie(runtime, account.user.id, newDeviceId(runtime.random, 'code')));
  if (codes.ok) return { kind: 'codes', codes: codes.value, switchedOn: code !== null };
  return { kind: 'form', problem: translator(locale, 'Account')(codes.error === 'wrong' ? 'codeWrong' : codes.error) };
}

export async function removeAction(): Promise<void> {
  const { runtime, account } = await openAccountAction(PAGE);
  const removed = await switchOffSecondFactor(runtime, account);
  redirect(removed ? `${PAGE}?off` : PAGE);
}

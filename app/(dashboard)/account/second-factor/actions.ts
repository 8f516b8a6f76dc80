'use server';

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import type { CodesState } from '@/components/dashboard/account/second-factor-panel';
import { newDeviceId } from '@/lib/accounts/device';
import { confirmSecondFactorSetup } from '@/lib/accounts/second-factor/confirm-second-factor';
import { switchOffSecondFactor } from '@/lib/accounts/second-factor/remove-second-factor';
import { renewRecoveryCodes } from '@/lib/accounts/second-factor/renew-recovery-codes';
import { startSecondFactor } from '@/lib/accounts/second-factor/start-second-factor';
import { translator } from '@/lib/i18n/translator';
import { deviceCookie } from '@/lib/server/device-cookie';
import { formText, openAccountAction } from '@/lib/server/visit';

const PAGE = '/account/second-factor';

/** Makes a new secret: the page then shows it, if the person has just proven who they are, and asks for that first if not. */
export async function startAction(): Promise<void> {
  const { runtime, account } = await openAccountAction(PAGE);
  await startSecondFactor(runtime, account);
  redirect(PAGE);
}

/** Switches it on with a code, or makes new recovery codes without one. They are in this one answer; the device has shown a code. */
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

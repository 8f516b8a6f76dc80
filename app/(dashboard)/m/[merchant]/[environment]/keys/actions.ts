'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import type { CreateKeyState } from '@/components/dashboard/keys/create-key-form';
import type { KeyForm } from '@/components/dashboard/keys/key-fields';
import type { ChangeKeyState, RollKeyState } from '@/components/dashboard/keys/key-forms';
import type { ProvenRefusal } from '@/lib/accounts/access/grant-access';
import { KEY_SCOPES } from '@/lib/accounts/key-scopes';
import { baseUrl } from '@/lib/config/settings';
import { formatInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { KeyFormProblem, KeyFormValues } from '@/lib/keys/key-form';
import { revokeKey } from '@/lib/keys/revoke-key';
import { rollKey } from '@/lib/keys/roll-key';
import { sampleRequest } from '@/lib/keys/sample-request';
import { changeKey, createKeyFromForm } from '@/lib/keys/submit-key-form';
import { formText, openAction } from '@/lib/server/visit';

/** Creates an API key. Only this answer contains its secret. */
export async function createKeyAction(_before: CreateKeyState, form: FormData): Promise<CreateKeyState> {
  const { runtime, access, locale } = await openAction(form, 'keys');
  const typed = readKeyForm(form);
  const created = await createKeyFromForm(runtime, access, typed);
  if (!created.ok) return { kind: 'form', typed, problem: describe(created.error, locale) };
  refresh();
  const { environment } = access.scope;
  const curl = sampleRequest(created.value, environment, baseUrl(runtime.settings, environment));
  return { kind: 'created', keyId: created.value.id, secret: created.value.secret, curl, note: null };
}

/** Changes the name, the expiry and the limits of a key. */
export async function changeKeyAction(_before: ChangeKeyState, form: FormData): Promise<ChangeKeyState> {
  const { runtime, access, locale } = await openAction(form, 'keys');
  const typed = readKeyForm(form);
  const changed = await changeKey(runtime, access, { id: formText(form, 'key'), values: typed });
  if (!changed.ok) return { kind: 'form', typed, problem: describe(changed.error, locale), done: null };
  refresh();
  const done = translator(locale, 'KeyPage')(changed.value.changed ? 'saved' : 'unchanged');
  return { kind: 'form', typed: { ...typed, expiry: 'keep', expiryDay: '' }, problem: null, done };
}

/** Rolls a key. Only this answer contains the secret of its successor. */
export async function rollKeyAction(_before: RollKeyState, form: FormData): Promise<RollKeyState> {
  const { runtime, access, locale } = await openAction(form, 'keys');
  const t = translator(locale, 'KeyPage');
  const overlap = formText(form, 'overlap');
  const rolled = await rollKey(runtime, access, { id: formText(form, 'key'), overlap });
  if (!rolled.ok) return { kind: 'form', overlap, problem: t(rolled.error) };
  refresh();
  const { pair, oldEndsAt } = rolled.value;
  const { environment } = access.scope;
  const curl = sampleRequest(pair, environment, baseUrl(runtime.settings, environment));
  const note = oldEndsAt ? t('rolledUntil', { until: formatInstant(oldEndsAt, locale) }) : t('rolledOpen');
  return { kind: 'created', keyId: pair.id, secret: pair.secret, curl, note };
}

export async function revokeKeyAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'keys');
  const id = formText(form, 'key');
  const revoked = await revokeKey(runtime, access, id);
  redirect(path(`keys/${encodeURIComponent(id)}${revoked.ok ? '?revoked=1' : ''}`));
}

function readKeyForm(form: FormData): KeyFormValues {
  return {
    label: formText(form, 'label'),
    expiry: formText(form, 'expiry') || 'never',
    expiryDay: formText(form, 'expiryDay'),
    scopes: KEY_SCOPES.filter((scope) => formText(form, `scope_${scope}`) === 'on').join(' '),
    networks: formText(form, 'networks'),
    billMax: formText(form, 'billMax'),
    dayMax: formText(form, 'dayMax'),
  };
}

function describe(error: KeyFormProblem | ProvenRefusal | 'not_found', locale: Locale): KeyForm['problem'] {
  const t = translator(locale, 'KeyPage');
  return typeof error === 'string' ? { field: null, text: t(error) } : { field: error.field, text: t(error.code, { text: error.text }) };
}

'use server';

import { refresh } from 'next/cache';
import { formAction, joined, ofMerchant, plainAction, text } from '@/lib/entry/server/form-action';
import type { ProvenRefusal } from '@/lib/identity/accounts/access/grant-access';
import { changeKey, createKeyFromForm, revokeKey, rollKey } from '@/lib/identity/keys/change-keys';
import type { KeyFormProblem } from '@/lib/identity/keys/key-form';
import { sampleRequest } from '@/lib/identity/keys/sample-request';
import { baseUrl } from '@/lib/platform/config/settings';
import { formatInstant } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

const page = ofMerchant('keys');
const fields = {
  label: text(),
  expiry: text(),
  expiryDay: text(),
  scopes: joined(' '),
  networks: text(),
  billMax: text(),
  dayMax: text(),
};

/** Creates an API key. Only this answer contains its secret. */
export const createKeyAction = formAction(page, fields, async ({ runtime, access, locale }, values) => {
  const created = await createKeyFromForm(runtime, access, values);
  if (!created.ok) return problemOf(created.error, locale);
  refresh();
  const { environment } = access.scope;
  const curl = sampleRequest(created.value, environment, baseUrl(runtime.settings, environment));
  return { done: { keyId: created.value.id, secret: created.value.secret, curl, note: null } };
});

/** Changes the name, the expiry and the limits of a key. */
export const changeKeyAction = formAction(page, { ...fields, key: text() }, async ({ runtime, access, locale }, { key, ...values }) => {
  const changed = await changeKey(runtime, access, { id: key, values });
  if (!changed.ok) return problemOf(changed.error, locale);
  refresh();
  const done = translator(locale, 'KeyPage')(changed.value.changed ? 'saved' : 'unchanged');
  return { done, typed: { expiry: 'keep', expiryDay: '' } };
});

/** Rolls a key. Only this answer contains the secret of its successor. */
export const rollKeyAction = formAction(page, { key: text(), overlap: text() }, async ({ runtime, access, locale }, { key, overlap }) => {
  const t = translator(locale, 'KeyPage');
  const rolled = await rollKey(runtime, access, { id: key, overlap });
  if (!rolled.ok) return { problems: { overlap: t(rolled.error) } };
  refresh();
  const { pair, oldEndsAt } = rolled.value;
  const { environment } = access.scope;
  const curl = sampleRequest(pair, environment, baseUrl(runtime.settings, environment));
  const note = oldEndsAt ? t('rolledUntil', { until: formatInstant(oldEndsAt, locale) }) : t('rolledOpen');
  return { done: { keyId: pair.id, secret: pair.secret, curl, note } };
});

export const revokeKeyAction = plainAction(page, { key: text() }, async ({ runtime, access, path }, { key }) => {
  const revoked = await revokeKey(runtime, access, key);
  return path(`keys/${encodeURIComponent(key)}${revoked.ok ? '?revoked=1' : ''}`);
});

function problemOf(error: KeyFormProblem | ProvenRefusal | 'not_found', locale: Locale) {
  const t = translator(locale, 'KeyPage');
  return { problems: typeof error === 'string' ? { all: t(error) } : { [error.field]: t(error.code, { text: error.text }) } };
}

'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import type { CreateKeyState } from '@/components/dashboard/create-key-form';
import { dashboardPath } from '@/lib/accounts/grant-access';
import { baseUrl } from '@/lib/config/settings';
import { translator } from '@/lib/i18n/translator';
import { createOwnKey, LABEL_MAX } from '@/lib/keys/create-own-key';
import { revokeOwnKey } from '@/lib/keys/revoke-own-key';
import { sampleRequest } from '@/lib/keys/sample-request';
import { formText, openAction } from '@/lib/server/visit';

/** Creates a key; its secret is in this one answer. */
export async function createKeyAction(_before: CreateKeyState, form: FormData): Promise<CreateKeyState> {
  const { runtime, access, locale, address } = await openAction(form, 'keys');
  const label = formText(form, 'label');
  const created = await createOwnKey(runtime, access, { label, address });
  if (!created.ok) {
    return {
      kind: 'form',
      typed: label.slice(0, LABEL_MAX),
      problem: translator(locale, 'Keys')(created.error, { max: String(LABEL_MAX) }),
    };
  }
  refresh();
  const { id, secret } = created.value;
  return {
    kind: 'created',
    keyId: id,
    secret,
    curl: sampleRequest(created.value, access.scope.environment, baseUrl(runtime.settings, access.scope.environment)),
  };
}

/** Revokes a key of the merchant that the form names, if the person may. The list then says how things stand. */
export async function revokeKeyAction(form: FormData): Promise<void> {
  const { runtime, access, address } = await openAction(form, 'keys');
  const revoked = await revokeOwnKey(runtime, access, { id: formText(form, 'key'), address });
  redirect(dashboardPath({ slug: access.merchant.slug, environment: access.scope.environment, page: revoked ? 'keys?revoked' : 'keys' }));
}

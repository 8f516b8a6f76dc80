'use server';

import { redirect } from 'next/navigation';
import { dashboardPath } from '@/lib/accounts/grant-access';
import { releaseOwnAttempt } from '@/lib/payments/release-own-attempt';
import { formText, openAction } from '@/lib/server/visit';

/** Gives up waiting for an attempt of the merchant that the form names, if the person may. The bill's page says what came of it. */
export async function releaseAction(form: FormData): Promise<void> {
  const page = `bills/${encodeURIComponent(formText(form, 'bill'))}`;
  const { runtime, access, address } = await openAction(form, page);
  const released = await releaseOwnAttempt(runtime, access, {
    attemptId: formText(form, 'attempt'),
    reason: formText(form, 'reason'),
    address,
  });
  const told = released.ok ? 'released' : `problem=${released.error}`;
  redirect(dashboardPath({ slug: access.merchant.slug, environment: access.scope.environment, page: `${page}?${told}` }));
}

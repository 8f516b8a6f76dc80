import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { Runtime } from '@/lib/runtime/runtime';
import { type RedeliveryProgress, showRedeliveries, showRedelivery } from './show-redelivery';

type Needs = Pick<Runtime, 'db'>;

/** @returns one run of the merchant; undefined when there is none, or the role may not see it. */
export async function showOwnRedelivery(runtime: Needs, access: MerchantAccess, id: string): Promise<RedeliveryProgress | undefined> {
  return may(access, 'webhooks.view') ? showRedelivery(runtime, access.scope, id) : undefined;
}

/** @returns the merchant's newest runs. */
export async function showOwnRedeliveries(runtime: Needs, access: MerchantAccess): Promise<RedeliveryProgress[]> {
  return may(access, 'webhooks.view') ? showRedeliveries(runtime, access.scope) : [];
}

import { type MerchantAccess, may } from '@/lib/accounts/grant-access';
import type { Runtime } from '@/lib/config/runtime';
import { type DeliveryQuery, readDeliveryQuery } from './delivery-query';
import { type DeliveryPage, listDeliveries } from './list-deliveries';
import { findBillIds } from './listing-store';

/** So many bills of one reference are looked at: more have no use for one. */
const SAME_REFERENCE = 100;

export interface OwnDeliveries extends DeliveryPage {
  readonly problem: 'period' | null;
}

/** @returns a page of a merchant's deliveries that a query asks for, newest first. None for whose role may not see them. */
export async function listOwnDeliveries(
  { db }: Pick<Runtime, 'db'>,
  access: MerchantAccess,
  { query, before }: { readonly query: DeliveryQuery; readonly before: string | null },
): Promise<OwnDeliveries> {
  const { filter, reference, problem } = readDeliveryQuery(query);
  if (!may(access, 'webhooks.view')) return { url: null, deliveries: [], older: null, problem };
  const billIds = reference === null ? null : await findBillIds(db, access.scope, reference, SAME_REFERENCE);
  return { ...(await listDeliveries({ db }, access, { ...filter, billIds, before })), problem };
}

import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { referenceSchema } from '@/lib/bills/schema';
import type { Runtime } from '@/lib/runtime/runtime';
import { type DeliveryQuery, readDeliveryQuery } from './delivery-query';
import { type DeliveryPage, listDeliveries } from './list-deliveries';
import { findBillIds } from './listing-store';

/** So many bills of one reference are looked at: more have no use for one. */
const SAME_REFERENCE = 100;

interface OwnDeliveries extends DeliveryPage {
  readonly problem: 'period' | null;
}

/** @returns a page of a merchant's deliveries that a query asks for, newest first. None for whose role may not see them. */
export async function listOwnDeliveries(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  access: MerchantAccess,
  { query, before }: { readonly query: DeliveryQuery; readonly before: string | null },
): Promise<OwnDeliveries> {
  const { filter, reference, problem } = readDeliveryQuery(query);
  if (!may(access, 'webhooks.view')) return { url: null, deliveries: [], older: null, problem };
  // What no bill can be called, the database may not even take.
  const ofReference = async (text: string) =>
    referenceSchema.safeParse(text).success ? findBillIds(db, access.scope, text, SAME_REFERENCE) : [];
  const billIds = reference === null ? null : await ofReference(reference);
  return { ...(await listDeliveries({ db, clock }, access, { ...filter, billIds, before })), problem };
}

import { type Access, may } from '@/lib/accounts/access/grant-access';
import { referenceSchema } from '@/lib/bills/schema';
import type { Runtime } from '@/lib/runtime/runtime';
import { type DeliveryQuery, readDeliveryQuery } from './delivery-query';
import { type DeliveryPage, listDeliveries } from './list-deliveries';
import { findBillIds } from './listing-store';

/** Limit of bills that are searched for one reference. */
const SAME_REFERENCE = 100;

interface FilteredDeliveryPage extends DeliveryPage {
  readonly problem: 'period' | null;
}

/** Returns the page of deliveries that a query asks for, newest first; an empty one if the role may not see deliveries. */
export async function listDeliveryPage(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  access: Access,
  { query, before }: { readonly query: DeliveryQuery; readonly before: string | null },
): Promise<FilteredDeliveryPage> {
  const { filter, reference, problem } = readDeliveryQuery(query);
  if (!may(access, 'webhooks.view')) return { url: null, deliveries: [], older: null, problem };
  // What no bill can be called, the database may not even take.
  const ofReference = async (text: string) =>
    referenceSchema.safeParse(text).success ? findBillIds(db, access.scope, text, SAME_REFERENCE) : [];
  const billIds = reference === null ? null : await ofReference(reference);
  return { ...(await listDeliveries({ db, clock }, access, { ...filter, billIds, before })), problem };
}

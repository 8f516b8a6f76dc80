import { type Access, may } from '@/lib/accounts/access/grant-access';
import { referenceSchema } from '@/lib/bills/schema';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import { type DeliveryQuery, parseDeliveryQuery } from './delivery-query';
import { type DeliveryPage, listDeliveries } from './list-deliveries';
import { findBillIds } from './listing-store';

/** Maximum number of bills with the same reference whose deliveries are listed. */
const SAME_REFERENCE = 100;

interface FilteredDeliveryPage extends DeliveryPage {
  readonly problem: 'period' | null;
}

/** Returns the page of deliveries that a query asks for, newest first; an empty one if the role may not see deliveries. */
export async function listDeliveryPage(
  { db, clock }: ReadRuntime,
  access: Access,
  { query, before }: { readonly query: DeliveryQuery; readonly before: string | null },
): Promise<FilteredDeliveryPage> {
  const { filter, reference, problem } = parseDeliveryQuery(query);
  if (!may(access, 'webhooks.view')) return { url: null, deliveries: [], older: null, problem };
  // PostgreSQL would refuse some texts that are not valid references, for example with a NUL character.
  const ofReference = async (text: string) =>
    referenceSchema.safeParse(text).success ? findBillIds(db, access.scope, text, SAME_REFERENCE) : [];
  const billIds = reference === null ? null : await ofReference(reference);
  return { ...(await listDeliveries({ db, clock }, access, { ...filter, billIds, before })), problem };
}

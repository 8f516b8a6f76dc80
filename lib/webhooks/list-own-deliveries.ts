import { type MerchantAccess, may } from '@/lib/accounts/grant-access';
import { parseReference } from '@/lib/bills/schema';
import type { Runtime } from '@/lib/config/runtime';
import { type DeliveryQuery, readDeliveryQuery } from './delivery-query';
import { findEndpoint } from './endpoint-store';
import { earliestTry, holdUp } from './hold-rules';
import { type DeliveryPage, listDeliveries } from './list-deliveries';
import { findBillIds } from './listing-store';

/** So many bills of one reference are looked at: more have no use for one. */
const SAME_REFERENCE = 100;

export interface OwnDeliveries extends DeliveryPage {
  readonly problem: 'period' | null;
  /** When those that wait for another try can go out at the earliest, by id; what is due now, or held up for no known time, is left out. */
  readonly nextTries: Readonly<Record<string, Date>>;
}

/** @returns a page of a merchant's deliveries that a query asks for, newest first. None for whose role may not see them. */
export async function listOwnDeliveries(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  access: MerchantAccess,
  { query, before }: { readonly query: DeliveryQuery; readonly before: string | null },
): Promise<OwnDeliveries> {
  const { filter, reference, problem } = readDeliveryQuery(query);
  if (!may(access, 'webhooks.view')) return { url: null, deliveries: [], older: null, problem, nextTries: {} };
  // What no bill can be called, the database may not even take.
  const ofReference = async (text: string) => (parseReference(text).ok ? findBillIds(db, access.scope, text, SAME_REFERENCE) : []);
  const billIds = reference === null ? null : await ofReference(reference);
  const [page, endpoint] = await Promise.all([
    listDeliveries({ db }, access, { ...filter, billIds, before }),
    findEndpoint(db, access.scope),
  ]);
  const now = clock();
  const hold = endpoint ? holdUp(endpoint, now) : null;
  const nextTries = page.deliveries.flatMap(({ id, state, attemptCount, dueAt }) => {
    const next = state === 'PENDING' && attemptCount > 0 && dueAt ? earliestTry(dueAt, hold, now) : null;
    return next ? [[id, next] as const] : [];
  });
  return { ...page, problem, nextTries: Object.fromEntries(nextTries) };
}

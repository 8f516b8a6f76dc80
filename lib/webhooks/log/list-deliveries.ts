import type { Access } from '@/lib/accounts/access/grant-access';
import { isUuid } from '@/lib/core/ids';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import { findEndpoint } from '@/lib/webhooks/endpoint/endpoint-store';
import { type DeliveryView, viewDeliveries } from './delivery-view';
import { type DeliveryFilter, listDeliveryRows } from './listing-store';
import { listAttempts } from './logged-attempt-store';

const PAGE_SIZE = 25;
/** The maximum number of deliveries on a bill's page. A bill has one per change of status. */
const PER_BILL = 50;

export interface DeliveryPage {
  /** The endpoint's address, or null until it is set. */
  readonly url: string | null;
  readonly deliveries: readonly DeliveryView[];
  readonly older: string | null;
}

export interface DeliveryListOptions extends DeliveryFilter {
  /** The last id of the previous page. */
  readonly before?: string | null;
}

/** Returns a page of a merchant's deliveries, newest first. A `billId` that is not a UUID matches nothing. */
export async function listDeliveries(
  { db, clock }: ReadRuntime,
  { scope }: Pick<Access, 'scope'>,
  { before = null, billId = null, ...filter }: DeliveryListOptions,
): Promise<DeliveryPage> {
  const nothing = billId !== null && !isUuid(billId);
  const options = { ...filter, billId, before: before !== null && isUuid(before) ? before : null, limit: PAGE_SIZE + 1 };
  const [endpoint, rows] = await Promise.all([findEndpoint(db, scope), nothing ? [] : listDeliveryRows(db, scope, options)]);
  const shown = rows.slice(0, PAGE_SIZE);
  const attempts = await listAttempts(db, scope, shown);
  return {
    url: endpoint?.url ?? null,
    deliveries: viewDeliveries(shown, { attempts, endpoint, now: clock() }),
    older: rows.length > PAGE_SIZE ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** Returns the deliveries of a bill. */
export async function listBillDeliveries(
  { db, clock }: ReadRuntime,
  { scope }: Pick<Access, 'scope'>,
  billId: string,
): Promise<DeliveryView[]> {
  const [endpoint, rows] = await Promise.all([
    findEndpoint(db, scope),
    listDeliveryRows(db, scope, { billId, before: null, limit: PER_BILL }),
  ]);
  return viewDeliveries(rows, { attempts: await listAttempts(db, scope, rows), endpoint, now: clock() });
}

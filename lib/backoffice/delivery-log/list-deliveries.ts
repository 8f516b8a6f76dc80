import { referenceSchema } from '@/lib/gateway/bills/schema';
import { findEndpoint } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { type Access, may } from '@/lib/identity/accounts/access/grant-access';
import { isUuid } from '@/lib/platform/core/ids';
import { splitPage } from '@/lib/platform/core/page';
import type { ReadRuntime } from '@/lib/platform/runtime/runtime';
import { type DeliveryQuery, parseDeliveryQuery } from './delivery-query';
import { type DeliveryFilter, listAttempts, listDeliveryRows } from './delivery-store';
import { type DeliveryView, viewDeliveries } from './delivery-view';

const PAGE_SIZE = 25;
/** The maximum number of deliveries on a bill's page. A bill has one per change of status. */
const PER_BILL = 50;

interface DeliveryPage {
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
  const { shown, last } = splitPage(rows, PAGE_SIZE);
  const attempts = await listAttempts(db, scope, shown);
  return {
    url: endpoint?.url ?? null,
    deliveries: viewDeliveries(shown, { attempts, endpoint, now: clock() }),
    older: last?.id ?? null,
  };
}

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
  let billIds: string[] | null = null;
  if (reference !== null) {
    // PostgreSQL would refuse some texts that are not valid references, for example with a NUL character.
    const where = referenceSchema.safeParse(reference).success ? { ...access.scope, reference } : null;
    const select = { id: true } as const;
    const bills = where ? await db.prisma.bill.findMany({ where, select, orderBy: { id: 'desc' }, take: SAME_REFERENCE }) : [];
    billIds = bills.map(({ id }) => id);
  }
  return { ...(await listDeliveries({ db, clock }, access, { ...filter, billIds, before })), problem };
}

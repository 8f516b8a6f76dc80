import { BILL_STATUSES, type Bill } from '@/lib/gateway/bills/rules';
import { billById } from '@/lib/gateway/bills/store';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { lowestId } from '@/lib/platform/core/ids';
import type { Mobile } from '@/lib/platform/core/mobile';
import type { Environment } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { bill } from '@/lib/platform/db/generated/tables';
import { array, environment, int4, jsonb, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { variant } from '@/lib/platform/db/statement';
import type { InstantRange, PageCursor } from './bill-query';
import { parameters } from './list-store';

/** The bills that a list may contain: all of a merchant in one environment, or only those that one member created. */
export interface ListScope {
  readonly merchantId: string;
  readonly environment: Environment;
  /** The member who created the bills; null for all. */
  readonly billsOf: string | null;
}

/** The filter of the API: statuses (none for any), a period of creation, and exact values (null for any value). */
export interface BillSelection {
  readonly scope: ListScope;
  readonly statuses: readonly Bill['status'][];
  readonly period: InstantRange;
  readonly exact: {
    readonly reference: string | null;
    /** The number of the bill itself. */
    readonly mobile: Mobile | null;
    /** The bills must have all of these pairs. */
    readonly metadata: Readonly<Record<string, string>> | null;
  };
}

interface NewestOptions {
  readonly cursor: PageCursor | null;
  readonly limit: number;
  readonly readMax: number;
}

export function newestStatements({ scope, period, exact, ...filter }: BillSelection, { cursor, limit, readMax }: NewestOptions) {
  const { values, types, param } = parameters();
  const ids = [
    ...(period.from === null ? [] : [`id >= ${param(uuid, lowestId(period.from.getTime() - MINUTE_MS))}`]),
    ...(period.until === null ? [] : [`id < ${param(uuid, lowestId(period.until.getTime() + MINUTE_MS))}`]),
    ...(cursor === null ? [] : [`id < ${param(uuid, cursor.position.id)}`]),
  ];
  const inScope = [`merchant_id = ${param(uuid, scope.merchantId)}`, `environment = ${param(environment, scope.environment)}`];
  const [reference, mobile] = [exact.reference && param(text, exact.reference), exact.mobile && param<string>(text, exact.mobile)];
  const exactly = [...(reference ? [`reference = ${reference}`] : []), ...(mobile ? [`mobile = ${mobile}`] : [])];
  const statuses = filter.statuses.length === 0 ? BILL_STATUSES : filter.statuses;
  // Within one status, the index is in the order of the ids. PostgreSQL merges the lists of several statuses.
  const wanted = exactly.length > 0 ? [exactly.join(' AND ')] : statuses.map((one) => `status = '${one}'`);
  const scan = wanted
    .map((one) => `(SELECT id FROM bill WHERE ${[...inScope, ...ids, one].join(' AND ')} ORDER BY id DESC)`)
    .join(' UNION ALL ');
  const end = variant({
    name: 'find the end of a read',
    text: `SELECT candidate.id FROM (${scan}) candidate ORDER BY candidate.id DESC LIMIT 1 OFFSET ${readMax - 1}`,
    parameters: { ...types },
    columns: { id: uuid },
  });
  const endValues = { ...values };
  const where = [
    ...inScope,
    ...exactly,
    `status = ANY (${param(array(bill.status), statuses)}::bill_status[])`,
    ...(scope.billsOf === null ? [] : [`created_by_id = ${param(uuid, scope.billsOf)}`]),
    ...(exact.metadata === null ? [] : [`metadata @> ${param(jsonb, exact.metadata)}::jsonb`]),
    ...(period.from === null ? [] : [`created_at >= ${param(timestamptz, period.from)}`]),
    ...(period.until === null ? [] : [`created_at < ${param(timestamptz, period.until)}`]),
  ];
  const list = variant({
    name: 'list newest bills',
    text: `SELECT scan.id FROM (SELECT id FROM (${scan}) candidate ORDER BY candidate.id DESC LIMIT ${readMax}) scan
      CROSS JOIN LATERAL (SELECT * FROM ${billById('scan.id')} WHERE ${where.join(' AND ')} LIMIT 1) b
      ORDER BY scan.id DESC LIMIT ${param(int4, limit)}::int`,
    parameters: types,
    columns: { id: uuid },
  });
  return { list, values, end, endValues };
}

/**
 * Returns a page of the newest bills without counting any. Reads at most `readMax` bills of one index scan, so that no filter is slow.
 * @returns the bills, and `end`: the id of the last bill that was read, if there may be more behind it.
 */
export async function listNewest(
  db: Queryable,
  selection: BillSelection,
  { cursor, limit, readMax }: NewestOptions,
): Promise<{ readonly rows: readonly { readonly id: string }[]; readonly end: string | null }> {
  // One additional row shows whether there is another page.
  const { list, values, end, endValues } = newestStatements(selection, { cursor, limit: limit + 1, readMax });
  const rows = await list.rows(db, values);
  if (rows.length > limit) return { rows: rows.slice(0, limit), end: rows[limit - 1]?.id ?? null };
  return { rows, end: (await end.first(db, endValues))?.id ?? null };
}

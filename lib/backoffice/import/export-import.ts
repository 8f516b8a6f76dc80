import { webPayUrl } from '@/lib/gateway/bills/bill-json';
import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { baseUrl } from '@/lib/platform/config/settings';
import { BYTE_ORDER_MARK, formatCsv } from '@/lib/platform/core/csv';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { isUuid } from '@/lib/platform/core/ids';
import { formatDecimal } from '@/lib/platform/core/money';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { ROWS_MAX } from './import-file';
import { findImport, listImportRows } from './import-store';

const COLUMNS = [
  'row',
  'amount',
  'reference',
  'mobile',
  'bill_id',
  'payment_link',
  'not_created_because',
  'customer_name',
  'description',
  'due_date',
];

/** Returns the rows of an import with their bills and payment links as CSV, or null if the member may not see the import. */
export async function exportImport(
  { db, settings }: Pick<Runtime, 'db' | 'settings'>,
  access: MerchantAccess,
  id: string,
): Promise<{ readonly name: string; readonly csv: string } | null> {
  const file = isUuid(id) && may(access, 'bills.import') ? await findImport(db, access.scope, id) : undefined;
  if (!file) return null;
  const base = baseUrl(settings, access.scope.environment);
  const rows = await listImportRows(db, { importId: file.id, after: 0, problems: false, limit: ROWS_MAX });
  const cells = rows.map(({ number, amount, reference, mobile, billId, refused, customerName, description, dueAt }) => [
    String(number),
    amount === null ? '' : formatDecimal(amount),
    reference ?? '',
    mobile ?? '',
    billId ?? '',
    billId === null ? '' : webPayUrl(base, billId),
    refused ?? '',
    customerName ?? '',
    description ?? '',
    dueAt ? eastAfricanDay(dueAt) : '',
  ]);
  return { name: `bills-${file.id.slice(0, 8)}.csv`, csv: BYTE_ORDER_MARK + formatCsv([COLUMNS, ...cells]) };
}

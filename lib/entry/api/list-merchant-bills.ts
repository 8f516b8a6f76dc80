import { z } from 'zod';
import { formatCursor, readCursor } from '@/lib/backoffice/bill-list/bill-query';
import { type BillSelection, listNewest } from '@/lib/backoffice/bill-list/listing-store';
import { type BillDetails, billSchema } from '@/lib/gateway/bills/bill-json';
import { findBillDetails } from '@/lib/gateway/bills/get-bill';
import { BILL_STATUSES } from '@/lib/gateway/bills/rules';
import { referenceSchema, soughtMobileSchema } from '@/lib/gateway/bills/schema';
import { limitSchema } from '@/lib/gateway/webhooks/feed/feed-schema';
import { type KeyAccess, may } from '@/lib/identity/accounts/access/grant-access';
import type { FailureCode } from '@/lib/platform/core/failure';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Runtime } from '@/lib/platform/runtime/runtime';

interface BillsPage {
  readonly bills: readonly BillDetails[];
  /** The cursor of the next page, or null if there is none. */
  readonly cursor: string | null;
}

/**
 * The most bills that one request reads. More than that are read only by filters that few of the newest bills meet: the page then has fewer
 * bills, and a cursor.
 */
const READ_MAX = 2_000;

/**
 * Returns a merchant's bills, newest first, in the form in which the API returns a single bill. Includes the bills that checks of the
 * webhook receiver created. A page can have fewer bills than its limit, although there are more behind it.
 */
export async function listMerchantBills(
  { db }: Pick<Runtime, 'db'>,
  access: KeyAccess,
  { status, reference, mobile, metadata, from, to, after, limit }: BillsQuery,
  readMax = READ_MAX,
): Promise<Result<BillsPage, 'not_allowed'>> {
  if (!may(access, 'bills.view')) return fail('not_allowed');
  // PostgreSQL stores no text with this character, so no bill has such metadata.
  if (metadata && JSON.stringify(metadata).includes('\\u0000')) return ok({ bills: [], cursor: null });
  const { scope, billsOf } = access;
  const selection: BillSelection = {
    scope: { ...scope, billsOf },
    statuses: status === undefined ? [] : [status],
    period: { from: from ?? null, until: to ?? null },
    exact: { reference: reference ?? null, mobile: mobile ?? null, metadata: metadata ?? null },
  };
  const { rows, end } = await listNewest(db, selection, { cursor: after ?? null, limit, readMax });
  const details = await findBillDetails(
    db,
    rows.map(({ id }) => ({ ...scope, id })),
  );
  return ok({
    bills: details.flatMap((bill) => bill ?? []),
    cursor: end === null ? null : formatCursor('created', { side: 'after', position: { id: end, value: 0n } }),
  });
}

/** The latest accepted time. A later time can only be a mistake. */
const LAST_MS = Date.UTC(9999, 11, 31);

function timeSchema(error: FailureCode, description: string) {
  return z
    .string()
    .refine((text) => /^\d{1,15}$/.test(text) && Number(text) <= LAST_MS, { error, abort: true })
    .transform((text) => new Date(Number(text)))
    .optional()
    .meta({ type: 'integer', format: 'int64', minimum: 0, maximum: LAST_MS, description });
}

/** The query parameters of the list of bills. */
export const billsQuerySchema = z.object({
  status: z.enum(BILL_STATUSES, { error: 'status_invalid' }).optional().meta({ description: 'Only bills with this status.' }),
  reference: referenceSchema.optional().meta({ description: 'Only bills with exactly this reference.' }),
  mobile: soughtMobileSchema.optional().meta({
    description: 'Only bills with this number as `mobile`: `0712345678`, `255712345678` or `+255 712-345-678`.',
  }),
  metadata: z.record(z.string(), z.string()).optional().meta({
    description: 'Only bills that have all of these texts in `metadata`, for example `metadata[order_id]=17`.',
  }),
  from: timeSchema('from_invalid', 'Only bills that were created at this time or later, Unix milliseconds.'),
  to: timeSchema('to_invalid', 'Only bills that were created before this time, Unix milliseconds.'),
  after: z
    .string()
    .transform((text, context) => {
      const cursor = readCursor('created', text);
      if (cursor?.side === 'after') return cursor;
      context.addIssue({ code: 'custom', message: 'after_invalid' satisfies FailureCode });
      return z.NEVER;
    })
    .optional()
    .meta({ description: 'The cursor of an earlier answer to the same query. The answer starts with the bill behind it.' }),
  limit: limitSchema('bills'),
});
type BillsQuery = z.output<typeof billsQuerySchema>;

export const BILLS_QUERY_FAILURES = [
  'status_invalid',
  'reference_required',
  'reference_too_long',
  'reference_control_characters',
  'mobile_invalid',
  'from_invalid',
  'to_invalid',
  'after_invalid',
  'limit_invalid',
] as const;

/** A page of the list of bills. */
export const billsSchema = z.strictObject({
  bills: z.array(billSchema),
  cursor: z.string().nullable().meta({ description: 'Continue with this value of `after`. Null if there are no more bills.' }),
  more: z.boolean().meta({ description: 'Whether there are more bills behind these.' }),
});

import { z } from 'zod';
import { billSchema } from '@/lib/bills/answer-schema';
import { readCursor } from '@/lib/bills/list/page-cursor';
import { BILL_STATUSES } from '@/lib/bills/rules';
import { referenceSchema, soughtMobileSchema } from '@/lib/bills/schema';
import type { FailureCode } from '@/lib/core/failure';
import { limitSchema } from '@/lib/webhooks/feed/feed-schema';

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
export type BillsQuery = z.output<typeof billsQuerySchema>;

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

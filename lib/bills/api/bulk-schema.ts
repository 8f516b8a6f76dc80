import { z } from 'zod';
import { createdBillSchema } from '@/lib/bills/answer-schema';
import { CREATED_BILL_EXAMPLE } from '@/lib/bills/examples';
import { newBillSchema } from '@/lib/bills/schema';
import type { FailureCode } from '@/lib/core/failure';

/** The largest number of bills in one request. */
const ROWS_MAX = 500;

const keyMalformed = { error: 'idempotency_key_malformed' satisfies FailureCode };

/** Returns the schema of one bill in a request that creates several bills. */
export function bulkRowSchema(maxShillings: number) {
  return newBillSchema(maxShillings).extend({
    idempotencyKey: z
      .string(keyMalformed)
      .regex(/^[\x20-\x7e]{1,255}$/, keyMalformed)
      .nullish()
      .meta({ description: 'As the header `Idempotency-Key` of a request that creates one bill.' }),
  });
}

/** The JSON members that one bill may have in a request that creates several bills. */
export const BULK_ROW_MEMBERS: readonly string[] = Object.keys(bulkRowSchema(1).shape);

const bodies = new Map<number, ReturnType<typeof makeBulkBody>>();

/**
 * Returns the schema of a request that creates several bills. Each bill is checked separately, so an invalid bill does not affect the
 * others.
 */
export function bulkBody(maxShillings: number) {
  const body = bodies.get(maxShillings) ?? makeBulkBody(maxShillings);
  bodies.set(maxShillings, body);
  return body;
}

function makeBulkBody(maxShillings: number) {
  const { $schema: _, ...row } = z.toJSONSchema(bulkRowSchema(maxShillings), { io: 'input', unrepresentable: 'any' });
  const invalid = { error: 'bills_invalid' satisfies FailureCode };
  return z.object({
    bills: z
      .array(z.unknown().meta({ title: 'BulkBill', ...row }), invalid)
      .min(1, invalid)
      .max(ROWS_MAX, invalid)
      .meta({ description: 'The bills, at most 500.' }),
  });
}

const ignored = z.array(z.string()).meta({ description: 'The members of the bill that were ignored, as in `Bili-Ignored`.' });

const createdResult = z
  .strictObject({
    status: z.enum(['created', 'replayed']).meta({ description: '`replayed`: an earlier request with the same key created the bill.' }),
    bill: createdBillSchema,
    ignored,
  })
  .meta({ title: 'CreatedResult', description: 'The bill was created.' });

const failedResult = z
  .strictObject({
    status: z.literal('failed').meta({ description: 'The bill was not created. The others are not affected.' }),
    code: z.string().meta({ description: 'The code that `Bili-Error` would have if the bill had been sent alone.' }),
    error: z.string().meta({ description: 'The message of the error.' }),
    ignored,
  })
  .meta({ title: 'FailedResult', description: 'The bill was not created.' });

/** The results in the order of the bills. */
export const bulkResultsSchema = z.strictObject({
  results: z.array(z.union([createdResult, failedResult])).meta({ description: 'One result for each bill, in their order.' }),
});

export const BULK_EXAMPLE = {
  results: [
    { status: 'created', bill: CREATED_BILL_EXAMPLE, ignored: [] },
    { status: 'failed', code: 'reference_used', error: 'reference has already been used', ignored: [] },
  ],
} satisfies z.output<typeof bulkResultsSchema>;

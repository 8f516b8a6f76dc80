import { hash } from 'node:crypto';
import { z } from 'zod';
import { readInfo } from '@/lib/gateway/bills/bill-info';
import { CREATED_BILL_EXAMPLE, createdBillSchema } from '@/lib/gateway/bills/bill-json';
import { type CreatedBill, createBill } from '@/lib/gateway/bills/create/create-bill';
import type { InsertBill } from '@/lib/gateway/bills/create/insert-bills';
import { newBillSchema } from '@/lib/gateway/bills/schema';
import { type KeyAccess, may } from '@/lib/identity/accounts/access/grant-access';
import type { StoredKey } from '@/lib/identity/keys/rules';
import { check } from '@/lib/platform/core/check';
import type { Failure, FailureCode } from '@/lib/platform/core/failure';
import { newId } from '@/lib/platform/core/ids';
import { fail, type Result } from '@/lib/platform/core/result';
import { isOverloaded } from '@/lib/platform/queues/overloaded';
import { workTogether } from '@/lib/platform/queues/work-together';
import type { Runtime } from '@/lib/platform/runtime/runtime';

/**
 * How many bills of one request are inserted at the same time: half a batch of the insert queue. The other half stays free for other
 * requests.
 */
const TOGETHER = 50;

interface CreateBillsOptions {
  /** The bills of the request, one per row. Numbers are JsonNumbers. */
  readonly rows: readonly unknown[];
  readonly key: StoredKey;
  /** The Idempotency-Key of the request. A row without its own idempotency key gets one that is derived from the request's key. */
  readonly idempotencyKey: string | null;
  /** Runs before each bill is inserted. */
  readonly prepare?: (billId: string) => Promise<void>;
  readonly insert: InsertBill;
}

export interface RowResult {
  readonly created: Result<CreatedBill, Failure>;
  /** The names of the JSON members that were ignored. */
  readonly ignored: readonly string[];
}

/**
 * Creates several bills. Each bill is created or refused as if it had been sent alone. All created bills are durable when the promise
 * resolves. Returns the results in the order of the rows.
 */
export async function createBills(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>,
  access: KeyAccess,
  { rows, key, idempotencyKey, prepare, insert }: CreateBillsOptions,
): Promise<RowResult[]> {
  if (!may(access, 'bills.create')) throw new Error('the route requires the scope that allows this');
  const { scope, actor } = access;
  const schema = bulkRowSchema(runtime.settings.MAX_BILL_AMOUNT);
  const createdAt = runtime.clock();
  // Bills are listed by id, and ids of the same millisecond are random. The sorted ids give the bills the order of the rows.
  const ids = rows.map(() => newId({ clock: () => createdAt, random: runtime.random })).sort();

  async function createRow(row: unknown, index: number): Promise<RowResult> {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return { created: fail({ code: 'bill_not_object' }), ignored: [] };
    const unknown = Object.keys(row).filter((name) => !BULK_ROW_MEMBERS.includes(name));
    const read = check(schema, row);
    if (!read.ok) return { created: read, ignored: unknown };
    const { amount, reference, mobile, idempotencyKey: own } = read.value;
    const { info, ignored } = readInfo(read.value, { ...scope, returnOrigins: key.returnOrigins, now: runtime.clock() });
    const id = ids[index];
    const created = await createBill(runtime, {
      scope,
      ...(id !== undefined && { identity: { id, createdAt } }),
      bill: { amount, reference, mobile, info },
      createdBy: actor.name,
      uniqueReferences: key.uniqueReferences,
      idempotencyKey: own ?? (idempotencyKey === null ? null : keyOfRow(idempotencyKey, index)),
      key,
      ...(prepare && { prepare }),
      insert,
    }).catch((error: unknown): Result<never, Failure> => {
      if (isOverloaded(error)) return fail({ code: 'unavailable' });
      throw error;
    });
    return { created, ignored: [...ignored, ...unknown] };
  }

  // If the API key has a daily limit, each bill needs a transaction that locks the sum of the day. The bills would wait for each other, so
  // they are created one after another.
  return workTogether(rows, key.dayMax === null ? TOGETHER : 1, createRow);
}

/**
 * Returns the idempotency key of one row. It is different for each row. If the request is repeated with its Idempotency-Key, each row gets
 * the same key again.
 */
function keyOfRow(idempotencyKey: string, index: number): string {
  return `bulk:${hash('sha256', idempotencyKey, 'hex')}:${index}`;
}

/** The largest number of bills in one request. */
const ROWS_MAX = 500;

const keyMalformed = { error: 'idempotency_key_malformed' satisfies FailureCode };

/** Returns the schema of one bill in a request that creates several bills. */
function bulkRowSchema(maxShillings: number) {
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

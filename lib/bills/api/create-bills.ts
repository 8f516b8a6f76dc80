import { hash } from 'node:crypto';
import { type KeyAccess, may } from '@/lib/accounts/access/grant-access';
import { createBill } from '@/lib/bills/create/create-bill';
import type { CreatedBill } from '@/lib/bills/create/idempotency';
import type { InsertBill } from '@/lib/bills/create/insert-queue';
import { readOptional } from '@/lib/bills/optional-members';
import { check } from '@/lib/core/check';
import type { Failure } from '@/lib/core/failure';
import { fail, type Result } from '@/lib/core/result';
import type { StoredKey } from '@/lib/keys/rules';
import { isOverloaded } from '@/lib/queues/overloaded';
import { workTogether } from '@/lib/queues/work-together';
import type { Runtime } from '@/lib/runtime/runtime';
import { BULK_ROW_MEMBERS, bulkRowSchema } from './bulk-schema';

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

  async function createRow(row: unknown, index: number): Promise<RowResult> {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return { created: fail({ code: 'bill_not_object' }), ignored: [] };
    const unknown = Object.keys(row).filter((name) => !BULK_ROW_MEMBERS.includes(name));
    const read = check(schema, row);
    if (!read.ok) return { created: read, ignored: unknown };
    const { amount, reference, mobile, idempotencyKey: own } = read.value;
    const { info, extras, ignored } = readOptional(read.value, { ...scope, returnOrigins: key.returnOrigins, now: runtime.clock() });
    const created = await createBill(runtime, {
      scope,
      bill: { amount, reference, mobile, info, extras },
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

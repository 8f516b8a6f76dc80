import { payableAmount, unpaidBill } from '@/lib/bills/rules';
import type { NewBill } from '@/lib/bills/schema';
import { reach } from '@/lib/config/fail-point';
import { baseUrl } from '@/lib/config/settings';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import { newId, newPaymentReference } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Scope } from '@/lib/core/scope';
import type { Database, Queryable } from '@/lib/db/database';
import { postgresError } from '@/lib/db/errors';
import { LOCK_TIMEOUT_MS } from '@/lib/db/session';
import { insertCounted } from '@/lib/keys/limit-bills';
import type { StoredKey } from '@/lib/keys/rules';
import type { Runtime } from '@/lib/runtime/runtime';
import { type CreatedBill, type CreateFailure, findReplay, makeStoredAnswer } from './idempotency';
import { type InsertBill, insertAlone } from './insert-queue';
import type { NewBillRow } from './insert-sql';
import { type InsertRefusal, insertBill } from './insert-store';
import { limitFailure, referenceFailure } from './refusals';
import { runInTurn } from './run-in-turn';

const LOCK_NOT_AVAILABLE = '55P03';
const UNIQUE_REFERENCE = 'bill_merchant_id_environment_unique_reference_key';

interface CreateBillOptions {
  readonly scope: Scope;
  readonly bill: NewBill;
  /** The API key or the person that creates the bill, for its history. */
  readonly createdBy: string;
  /** The person's id if the bill is created in the dashboard. Collectors see only bills with their own id. */
  readonly createdById?: string;
  /** Runs in the transaction that creates the bill, only if it is created. */
  readonly alongside?: (tx: Queryable, billId: string) => Promise<void>;
  /** Runs before the bill is inserted, even for a bill that is then refused. */
  readonly prepare?: (billId: string) => Promise<void>;
  readonly uniqueReferences: boolean;
  readonly idempotencyKey: string | null;
  /** Called when this request starts to wait for another one with the same Idempotency-Key. */
  readonly onWait?: () => void;
  /** The API key that creates the bill. Its limits apply. */
  readonly key?: Pick<StoredKey, 'firstId' | 'billMax' | 'dayMax'>;
  /** How to insert a bill that needs no transaction with other writes. By default, the bill is inserted by a statement of its own. */
  readonly insert?: InsertBill;
}

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>;

/** Creates a bill and, if it has a mobile number, its first attempt. The bill is durable when the promise resolves. */
export async function createBill(runtime: Needs, options: CreateBillOptions): Promise<Result<CreatedBill, CreateFailure>> {
  const { scope, idempotencyKey } = options;
  if (idempotencyKey === null) return create(runtime, options);
  const turnKey = `${scope.merchantId} ${scope.environment} ${idempotencyKey}`;
  return runInTurn(turnKey, {
    limitMs: LOCK_TIMEOUT_MS,
    onWait: options.onWait,
    work: () => create(runtime, options),
    onTimeout: stillRunning,
  });
}

function stillRunning(): Result<CreatedBill, CreateFailure> {
  return fail({ code: 'idempotency_key_running' });
}

async function create(runtime: Needs, options: CreateBillOptions): Promise<Result<CreatedBill, CreateFailure>> {
  const { db, clock, random, settings } = runtime;
  const { scope, bill: asked, createdBy, createdById = null, uniqueReferences, idempotencyKey, key } = options;
  const createdAt = clock();
  const bill = unpaidBill(asked, { ...scope, id: newId({ clock: () => createdAt, random }), createdAt });
  const idempotency = idempotencyKey === null ? null : makeStoredAnswer(idempotencyKey, bill, baseUrl(settings, scope.environment));
  const replay = async () => (idempotency === null ? undefined : findReplay(runtime, bill, idempotency));

  if (key && key.billMax !== null && bill.amount > key.billMax) {
    return (await replay()) ?? fail(limitFailure('key_bill_limit', key.billMax));
  }
  try {
    reach('create.asked');
    const row: NewBillRow = {
      bill,
      createdBy,
      createdById,
      uniqueReference: uniqueReferences,
      info: asked.info ?? null,
      extras: asked.extras ?? null,
      attempt:
        asked.mobile === null
          ? null
          : {
              id: newId({ clock: () => createdAt, random }),
              amount: payableAmount({ ...bill, reservedAmount: 0n }),
              ourReference: newPaymentReference(random),
            },
      idempotency,
    };
    await options.prepare?.(bill.id);
    const inserted = await insertWithin(db, row, options);
    reach('create.committed');
    if (inserted === 'inserted')
      return ok({ bill, replayed: false, storedAnswer: idempotency?.response ?? null, ourReference: row.attempt?.ourReference ?? null });
    const replayed = await replay();
    if (replayed) return replayed;
    const used = uniqueReferences && inserted !== 'taken' ? await referenceFailure(runtime, scope, asked.reference) : undefined;
    if (used) return fail(used);
    if (inserted === 'used') return fail({ code: 'reference_used' });
    return inserted === 'over' ? fail(limitFailure('key_day_limit', key?.dayMax)) : stillRunning();
  } catch (error) {
    const { code, constraint } = postgresError(error) ?? {};
    if (code === LOCK_NOT_AVAILABLE && idempotencyKey !== null) return stillRunning();
    if (constraint !== UNIQUE_REFERENCE) throw error;
    return (await replay()) ?? fail((await referenceFailure(runtime, scope, asked.reference)) ?? { code: 'reference_used' });
  }
}

/**
 * Inserts the row of a bill in one statement. Uses a transaction if something else must be written with the row, or if the key has a daily
 * limit.
 */
async function insertWithin(
  db: Database,
  row: NewBillRow,
  { key, alongside, insert = (alone) => insertAlone(db, alone) }: Pick<CreateBillOptions, 'key' | 'alongside' | 'insert'>,
): Promise<InsertRefusal | 'inserted' | 'over'> {
  if (alongside) {
    return db.transaction(async (tx) => {
      const refusal = await insertBill(tx, row);
      if (!refusal) await alongside(tx, row.bill.id);
      return refusal ?? 'inserted';
    });
  }
  if (!key || key.dayMax === null) return insert(row);
  const { amount, createdAt } = row.bill;
  const count = { firstId: key.firstId, day: eastAfricanDay(createdAt), amount, dayMax: key.dayMax };
  return insertCounted(db, count, (tx) => insertBill(tx, row));
}

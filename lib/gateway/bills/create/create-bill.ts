import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createdBillJson, createdBillSchema } from '@/lib/gateway/bills/bill-json';
import { type Bill, payableAmount, unpaidBill } from '@/lib/gateway/bills/rules';
import type { NewBill } from '@/lib/gateway/bills/schema';
import { findBillByReference } from '@/lib/gateway/bills/store';
import { insertCounted } from '@/lib/identity/keys/limit-bills';
import type { StoredKey } from '@/lib/identity/keys/rules';
import { reach } from '@/lib/platform/config/fail-point';
import { baseUrl } from '@/lib/platform/config/settings';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import type { Failure } from '@/lib/platform/core/failure';
import { newId, newPaymentReference } from '@/lib/platform/core/ids';
import { formatApiAmount, type Senti } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Scope } from '@/lib/platform/core/scope';
import type { Database, Queryable } from '@/lib/platform/db/database';
import { postgresError } from '@/lib/platform/db/errors';
import { idempotencyKey } from '@/lib/platform/db/generated/tables';
import { LOCK_TIMEOUT_MS } from '@/lib/platform/db/session';
import { pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type InsertBill, type InsertOutcome, insertBill, type NewBillRow } from './insert-bills';

const LOCK_NOT_AVAILABLE = '55P03';
const UNIQUE_REFERENCE = 'bill_merchant_id_environment_unique_reference_key';

interface CreateBillOptions {
  readonly scope: Scope;
  readonly bill: NewBill;
  /** The id of the bill and the time in it, if the caller has chosen them: bills of one request are listed in the order of their ids. */
  readonly identity?: { readonly id: string; readonly createdAt: Date };
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

/** The failure codes of creating a bill. */
export const CREATE_FAILURES = [
  'reference_used',
  'idempotency_key_reused',
  'idempotency_key_running',
  'key_bill_limit',
  'key_day_limit',
] as const;
type CreateFailure = Failure<(typeof CREATE_FAILURES)[number]>;

export interface CreatedBill {
  /** The bill as it was when it was created. */
  readonly bill: Bill;
  /** Whether an earlier request with the same Idempotency-Key created the bill. */
  readonly replayed: boolean;
  /** The answer that is stored with the Idempotency-Key, or null without a key. A replay repeats it byte for byte. */
  readonly storedAnswer: string | null;
  /** Our reference of the attempt, if this request created one. */
  readonly ourReference: string | null;
}

type CreateRuntime = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>;

/** Creates a bill and, if it has a mobile number, its first attempt. The bill is durable when the promise resolves. */
export async function createBill(runtime: CreateRuntime, options: CreateBillOptions): Promise<Result<CreatedBill, CreateFailure>> {
  const { scope, idempotencyKey } = options;
  if (idempotencyKey === null) return createOrReplay(runtime, options);
  return runInTurn(`${scope.merchantId} ${scope.environment} ${idempotencyKey}`, {
    limitMs: LOCK_TIMEOUT_MS,
    onWait: options.onWait,
    work: () => createOrReplay(runtime, options),
    onTimeout: stillRunning,
  });
}

function stillRunning(): Result<CreatedBill, CreateFailure> {
  return fail({ code: 'idempotency_key_running' });
}

async function createOrReplay(runtime: CreateRuntime, options: CreateBillOptions): Promise<Result<CreatedBill, CreateFailure>> {
  const { db, clock, random, settings } = runtime;
  const { scope, bill: newBill, createdBy, createdById = null, uniqueReferences, idempotencyKey, key } = options;
  const createdAt = options.identity?.createdAt ?? clock();
  const id = options.identity?.id ?? newId({ clock: () => createdAt, random });
  const bill = unpaidBill(newBill, { ...scope, id, createdAt });
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
      info: newBill.info ?? null,
      attempt:
        newBill.mobile === null
          ? null
          : {
              id: newId({ clock: () => createdAt, random }),
              amount: payableAmount({ ...bill, reservedAmount: 0n }),
              ourReference: newPaymentReference(random),
            },
      idempotency,
    };
    await options.prepare?.(bill.id);
    const outcome = await insertRow(db, row, options);
    reach('create.committed');
    if (outcome === 'inserted')
      return ok({ bill, replayed: false, storedAnswer: idempotency?.response ?? null, ourReference: row.attempt?.ourReference ?? null });
    const replayed = await replay();
    if (replayed) return replayed;
    const used = uniqueReferences && outcome !== 'taken' ? await referenceFailure(runtime, scope, newBill.reference) : undefined;
    if (used) return fail(used);
    if (outcome === 'used') return fail({ code: 'reference_used' });
    return outcome === 'over' ? fail(limitFailure('key_day_limit', key?.dayMax)) : stillRunning();
  } catch (error) {
    const { code, constraint } = postgresError(error) ?? {};
    if (code === LOCK_NOT_AVAILABLE && idempotencyKey !== null) return stillRunning();
    if (constraint !== UNIQUE_REFERENCE) throw error;
    return (await replay()) ?? fail((await referenceFailure(runtime, scope, newBill.reference)) ?? { code: 'reference_used' });
  }
}

/**
 * Inserts the row of a bill in one statement. Uses a transaction if something else must be written with the row, or if the key has a daily
 * limit.
 */
async function insertRow(
  db: Database,
  row: NewBillRow,
  { key, alongside, insert = (alone) => insertBill(db, alone) }: Pick<CreateBillOptions, 'key' | 'alongside' | 'insert'>,
): Promise<InsertOutcome | 'over'> {
  if (alongside) {
    return db.transaction(async (tx) => {
      const outcome = await insertBill(tx, row);
      if (outcome === 'inserted') await alongside(tx, row.bill.id);
      return outcome;
    });
  }
  if (!key || key.dayMax === null) return insert(row);
  const { amount, createdAt } = row.bill;
  const count = { firstId: key.firstId, day: eastAfricanDay(createdAt), amount, dayMax: key.dayMax };
  return insertCounted(db, count, (tx) => insertBill(tx, row));
}

/** Returns the failure for a bill that exceeds a limit of its API key: the limit for one bill, or the daily limit. */
export function limitFailure<Code extends 'key_bill_limit' | 'key_day_limit'>(code: Code, limit: Senti | null | undefined): Failure<Code> {
  // The detail looks like `50000` or `50000.5`.
  return { code, detail: formatApiAmount(limit ?? 0n).replace(/\.0$/, '') };
}

/**
 * Returns the failure for a new bill whose reference is used by an earlier bill. Its `location` header is the address of the earlier bill.
 * Returns undefined if no bill has the reference.
 */
export async function referenceFailure(
  { db, settings }: Pick<Runtime, 'db' | 'settings'>,
  scope: Scope,
  reference: string,
): Promise<Failure<'reference_used'> | undefined> {
  const earlier = await findBillByReference(db, scope, reference);
  if (!earlier) return undefined;
  const base = baseUrl(settings, scope.environment);
  return { code: 'reference_used', headers: { location: `${base.origin}/api/v3/bills/${earlier.id}` } };
}

/** How long the answer to an Idempotency-Key is stored. */
const RETENTION_MS = DAY_MS;

/**
 * The fields of a bill that are read from the stored answer. All other fields follow from the repeated request, because a repetition has
 * the same amount, reference and mobile number.
 */
const storedAnswerSchema = createdBillSchema.pick({ id: true, date: true }).strip();

interface StoredAnswer {
  readonly key: string;
  readonly requestHash: Uint8Array;
  readonly response: string;
  readonly expiresAt: Date;
}

/**
 * Returns the row to store with an Idempotency-Key. The answer is stored as text, because the base address may change before a replay but
 * the answer must not. `base` is the base address of the bill's environment.
 */
function makeStoredAnswer(key: string, bill: Bill, base: URL): StoredAnswer {
  return { key, requestHash: fingerprint(bill), response: createdBillJson(bill, base), expiresAt: addMs(bill.createdAt, RETENTION_MS) };
}

/** Returns the result of the first request with an Idempotency-Key, or undefined if there was none. `bill` is the bill of this request. */
async function findReplay(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  bill: Bill,
  { key, requestHash }: StoredAnswer,
): Promise<Result<CreatedBill, CreateFailure> | undefined> {
  const stored = await findStoredAnswer(db, bill, key, clock());
  if (!stored) return undefined;
  if (Buffer.compare(stored.requestHash, requestHash) !== 0) return fail({ code: 'idempotency_key_reused' });
  const { id, date } = storedAnswerSchema.parse(JSON.parse(stored.response));
  const { merchantId, environment } = bill;
  const first = unpaidBill(bill, { id, merchantId, environment, createdAt: new Date(date) });
  return ok({ bill: first, replayed: true, storedAnswer: stored.response, ourReference: null });
}

/** Returns a hash of amount, reference and mobile. Requests that write the same values differently count as the same request. */
function fingerprint({ amount, reference, mobile }: Bill): Uint8Array {
  return hash('sha256', JSON.stringify([amount.toString(), reference, mobile]), 'buffer');
}

const FIND_ANSWER = statement({
  name: 'find a stored answer',
  text: `SELECT request_hash AS "requestHash", response FROM idempotency_key
         WHERE merchant_id = $merchantId AND environment = $environment AND key = $key AND expires_at > $now`,
  parameters: { ...pick(idempotencyKey, 'merchantId environment key'), now: timestamptz },
  columns: pick(idempotencyKey, 'requestHash response'),
});

/** Returns the stored answer to the first request with an idempotency key, unless the answer has expired. */
async function findStoredAnswer(
  db: Queryable,
  { merchantId, environment }: Scope,
  key: string,
  now: Date,
): Promise<{ requestHash: Uint8Array; response: string } | undefined> {
  return FIND_ANSWER.first(db, { merchantId, environment, key, now });
}

const DELETE_EXPIRED = statement({
  name: 'delete expired idempotency keys',
  text: `DELETE FROM idempotency_key
         WHERE ctid = ANY (ARRAY(SELECT ctid FROM idempotency_key WHERE expires_at <= $now LIMIT 1000)) AND expires_at <= $now
         RETURNING key`,
  parameters: { now: timestamptz },
  columns: { key: idempotencyKey.key },
});

/** Deletes expired keys with their answers, at most 1000 at a time. Returns how many were deleted. */
export async function deleteExpiredKeys(db: Queryable, now: Date): Promise<number> {
  return (await DELETE_EXPIRED.rows(db, { now })).length;
}

/** The work that runs in this process, by key. Each promise resolves when the work is done. */
const running = new Map<string, Promise<unknown>>();

interface TurnOptions<Value> {
  /** How long a caller waits for its turn and its work together, in milliseconds. */
  readonly limitMs: number;
  /** Called when the caller starts to wait. */
  readonly onWait?: (() => void) | undefined;
  readonly work: () => Promise<Value>;
  readonly onTimeout: () => Value;
}

/**
 * Runs work with the same key one at a time in this process. If many requests need the same row, only one of them waits in the database,
 * and the others do not occupy database connections.
 * Returns the result of `work`, or of `onTimeout` when the limit is reached. Work that has started continues.
 */
export async function runInTurn<Value>(key: string, { limitMs, onWait, work, onTimeout }: TurnOptions<Value>): Promise<Value> {
  if (!running.has(key)) return start(key, work);
  onWait?.();
  const done = new AbortController();
  let timedOut = false;
  const limit = delay(limitMs, undefined, { signal: done.signal }).then(() => {
    timedOut = true;
    return onTimeout();
  });
  // At the end, `done` aborts the delay, which rejects its promise. This rejection is not an error.
  limit.catch(() => undefined);
  try {
    for (let earlier = running.get(key); earlier && !timedOut; earlier = running.get(key)) await Promise.race([earlier, limit]);
    return await (timedOut ? limit : Promise.race([start(key, work), limit]));
  } finally {
    done.abort();
  }
}

function start<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
  const result = work();
  const ended = result.catch(() => undefined).finally(() => running.delete(key));
  running.set(key, ended);
  return result;
}

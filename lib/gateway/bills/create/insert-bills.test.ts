import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '@/lib/platform/core/scope';
import { type Database, openDatabase } from '@/lib/platform/db/database';
import { makeMerchant, testRuntime } from '@/testing/runtime';
import { createBill } from './create-bill';
import { createInsertQueue, type InsertBill } from './insert-bills';

const runtime = testRuntime();
const DAY_MAX = 3_000n;

/** A second connection pool for the same database, like that of another process. */
let elsewhere: Database;
beforeAll(() => {
  elsewhere = openDatabase({
    url: runtime().settings.DATABASE_URL,
    poolSize: 4,
    applicationName: 'other process',
    onError: () => undefined,
  });
});
afterAll(() => elsewhere.close());

/** A request. All requests that can affect each other have the same `group`. */
interface Asked {
  readonly group: string;
  readonly reference: string;
  readonly amount?: bigint;
  readonly idempotencyKey?: string;
  readonly uniqueReferences?: boolean;
  /** Whether the API key has a daily limit. */
  readonly limited?: boolean;
}

const name = fc.constantFrom('0', '1', '2', '3');
const request: fc.Arbitrary<Asked> = fc.oneof(
  fc.constantFrom({ group: 'plain', reference: 'PLAIN' }, { group: 'described', reference: 'PLAIN 1' }),
  fc.record({ name, amount: fc.constantFrom(100n, 200n) }).map(({ name, amount }) => ({
    group: `key ${name}`,
    reference: `KEYED ${name}`,
    idempotencyKey: `K${name}`,
    amount,
  })),
  name.map((it) => ({ group: `reference ${it}`, reference: `UNIQUE ${it}`, uniqueReferences: true })),
  name.map((it) => ({ group: `both ${it}`, reference: `BOTH ${it}`, uniqueReferences: true, idempotencyKey: `B${it}` })),
  fc.constant({ group: 'limited', reference: 'LIMITED', amount: 1_000n, limited: true }),
  // PostgreSQL cannot store this character in a text.
  fc.constant({ group: 'refused by the database', reference: 'A\u0000B' }),
);

/** Creates a bill. Returns `created`, `replayed`, the failure code, or the message of an error. */
async function send(scope: Scope, asked: Asked, insert?: InsertBill): Promise<string> {
  const { reference, amount = 100n, idempotencyKey = null, uniqueReferences = false, limited = false } = asked;
  const key = limited ? { firstId: await limitedKey(scope), billMax: null, dayMax: DAY_MAX } : undefined;
  // A bill has optional values if its reference ends in 1 or 3, and metadata if its reference ends in 2 or 3.
  const described = /[13]$/.test(reference) && { description: reference };
  const marked = /[23]$/.test(reference) && { metadata: { 'a "key"': `{${reference},\\}` } };
  const info = described || marked ? { ...described, ...marked } : null;
  const options = { scope, bill: { amount, reference, mobile: null, info }, createdBy: 'test', uniqueReferences, idempotencyKey };
  try {
    const created = await createBill(runtime(), { ...options, ...(key && { key }), ...(insert && { insert }) });
    if (!created.ok) return created.error.code;
    return created.value.replayed ? 'replayed' : 'created';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const limitedKeys = new Map<string, string>();

async function limitedKey({ merchantId }: Scope): Promise<string> {
  const id = limitedKeys.get(merchantId);
  if (id === undefined) throw new Error('the merchant has no key');
  return id;
}

async function newScope(): Promise<Scope> {
  const merchant = await makeMerchant(runtime());
  limitedKeys.set(merchant.merchant.id, (await merchant.key('live')).id);
  return merchant.scope('live');
}

/** Returns `group: result` for each request, sorted. Without the order, it does not matter which of several equal requests came first. */
function count(requests: readonly Asked[], results: readonly string[]): string[] {
  return requests.map(({ group }, index) => `${group}: ${results[index]}`).toSorted();
}

async function deadlocks(): Promise<unknown> {
  return runtime().db.query({ text: 'SELECT deadlocks::int AS deadlocks FROM pg_stat_database WHERE datname = current_database()' });
}

test('simultaneous requests have the same results as one after the other, whatever their mix', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 2, maxLength: 40 }), fc.integer({ min: 1, max: 3 }), async (requests, lanes) => {
      const [together, oneByOne] = [await newScope(), await newScope()];
      const { insert } = createInsertQueue(runtime().db, lanes);
      const results = await Promise.all(requests.map((asked) => send(together, asked, (row) => insert('key', row))));
      const expected: string[] = [];
      for (const asked of requests) expected.push(await send(oneByOne, asked));
      expect(count(requests, results)).toEqual(count(requests, expected));
      const bills = {
        text: 'SELECT reference, description, metadata, count(*)::int AS bills FROM bill WHERE merchant_id = $1 GROUP BY 1, 2, 3 ORDER BY 1',
      };
      expect(await runtime().db.query(bills, [together.merchantId])).toEqual(await runtime().db.query(bills, [oneByOne.merchantId]));
    }),
    { numRuns: 40 },
  );
});

test('two processes that insert overlapping keys and references create each bill once, and do not wait for each other forever', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 20, maxLength: 60 }), async (requests) => {
      const scope = await newScope();
      const conflicting = requests.filter(({ idempotencyKey, uniqueReferences }) => idempotencyKey || uniqueReferences);
      const queues = [createInsertQueue(runtime().db, 2), createInsertQueue(elsewhere, 2)];
      const results = await Promise.all(
        queues.flatMap(({ insert }, index) =>
          (index === 0 ? conflicting : conflicting.toReversed()).map((asked) => send(scope, asked, (row) => insert('key', row))),
        ),
      );
      const groups = new Set(conflicting.map(({ group }) => group));
      expect(results.filter((result) => result === 'created')).toHaveLength(groups.size);
      const expected = ['created', 'replayed', 'reference_used', 'idempotency_key_reused'];
      expect(results.filter((result) => !expected.includes(result))).toEqual([]);
    }),
    { numRuns: 15 },
  );
  expect(await deadlocks()).toEqual([{ deadlocks: 0 }]);
});

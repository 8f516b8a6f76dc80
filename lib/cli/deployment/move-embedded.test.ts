import { rm } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { seedBills } from '@/lib/cli/demo/seed-bills';
import { correctPayment } from '@/lib/gateway/ledger/correct-payment';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { openDatabase } from '@/lib/platform/db/database';
import { type EmbeddedPostgres, startEmbedded } from '@/lib/platform/db/embedded';
import { migrate } from '@/lib/platform/db/migrate';
import { MOVE_PROBLEM } from '@/lib/platform/db/migration-table';
import { moveDatabase } from '@/lib/platform/db/move-database';
import { compareSchema, schemaProblem } from '@/lib/platform/db/schema-version';
import { makeDatabaseFolder } from '@/testing/database-folder';
import { makeMerchant, TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { readCatalogue } from '@/testing/schema/catalogue';
import { emptyTables, fillTables } from '@/testing/schema/fill-tables';
import { moveEmbedded } from './move-embedded';

const runtime = testRuntime();
let folder = '';
let server: EmbeddedPostgres;
let tables: readonly string[] = [];

beforeAll(async () => {
  folder = await makeDatabaseFolder('bili-move-');
  const passwords = { databasePassword: 'test', superuserPassword: 'test' };
  server = await startEmbedded({ dataDir: folder, ...passwords, settings: ['fsync=off', 'shared_buffers=16MB'] });

  const { db } = runtime();
  const merchant = await makeMerchant(runtime());
  const bills = { scope: merchant.scope('sandbox'), uniqueReferences: false, bills: 300, onProgress: () => undefined };
  expect(await seedBills(runtime(), bills)).toMatchObject({ ok: true });
  const [payment] = await db.query<{ id: string }>({ text: 'SELECT id FROM payment LIMIT 1' });
  const change = { entryId: payment?.id ?? '', to: 100n, reason: 'it was less', actor: TEST_OPERATOR, reviewId: null };
  expect(await correctPayment(runtime(), change)).toMatchObject({ ok: true });
  await db.query({ text: "SELECT add_webhook_attempt_partition('webhook_attempt_2026_11_20', '2026-11-20', '2026-11-27')" });
  await on(databaseOf(inject('superuserUrl'), runtime().settings.DATABASE_URL), async (client) => {
    await fillTables(client);
    expect(await emptyTables(client)).toEqual([]);
  });
  const found = await db.query<{ name: string }>({
    text: `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
           AND relname <> '_prisma_migrations' ORDER BY relname`,
  });
  tables = found.map(({ name }) => name);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function on<Value>(url: string, work: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the URL of the server of `url` with the database of `other`. */
function databaseOf(url: string, other: string): string {
  const changed = new URL(url);
  changed.pathname = new URL(other).pathname;
  return changed.href;
}

let made = 0;

/** Creates an empty database on the second server. */
async function makeTarget(options = ''): Promise<{ readonly url: string; readonly ownerUrl: string }> {
  made += 1;
  const name = `target_${made}`;
  await on(server.superuserUrl, (client) => client.query(`CREATE DATABASE ${name} OWNER bili_owner ${options}`));
  const path = `postgresql://x/${name}`;
  return { url: databaseOf(server.url, path), ownerUrl: databaseOf(server.ownerUrl, path) };
}

/** Returns a digest of the rows of each table. */
async function digests(url: string): Promise<Record<string, string>> {
  return on(url, async (client) => {
    const found: Record<string, string> = {};
    for (const table of tables) {
      const { rows } = await client.query(
        `SELECT count(*) || ' ' || md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest FROM ${table} t`,
      );
      found[table] = rows[0].digest;
    }
    return found;
  });
}

const sourceUrl = () => runtime().settings.MIGRATE_DATABASE_URL ?? '';
const openTarget = (url: string) => openDatabase({ url, poolSize: 1, applicationName: 'test', onError: () => undefined });

async function problemOf(url: string): Promise<string | undefined> {
  const db = openTarget(url);
  try {
    return schemaProblem(await compareSchema(db));
  } finally {
    await db.close();
  }
}

test('a moved database has every row, the same tables and guards, and a ledger that holds', async () => {
  const target = await makeTarget();
  const before = await digests(sourceUrl());
  const moved = await moveEmbedded(runtime().settings, target.ownerUrl, TEST_OPERATOR);
  expect(moved.find(({ table }) => table === 'bill')).toEqual({ table: 'bill', rows: 300 });
  expect(moved.length).toBeGreaterThan(80);
  expect(await migrate(target.ownerUrl, { applicationUrl: target.url })).toEqual([]);

  const { audit_entry: _log, ...after } = await digests(target.ownerUrl);
  const { audit_entry: _older, ...expected } = before;
  expect(after).toEqual(expected);
  expect(await digests(sourceUrl())).toEqual(before);

  const db = openTarget(target.url);
  expect(await readCatalogue(db)).toEqual(await readCatalogue(runtime().db));
  expect((await verifyLedger(db)).filter(({ count }) => count > 0)).toEqual([]);
  const entries = await db.query({ text: "SELECT actor FROM audit_entry WHERE action = 'database.moved'" });
  expect(entries).toEqual([{ actor: TEST_OPERATOR.name }]);
  await expect(db.query({ text: 'UPDATE payment SET amount = amount + 1' })).rejects.toThrow('never changed');
  await expect(db.query({ text: 'DELETE FROM bill' })).rejects.toThrow('foreign key');
  await db.close();
  expect(await problemOf(target.url)).toBeUndefined();
});

test('a move that is interrupted leaves a target that is refused, and can be repeated', async () => {
  const target = await makeTarget();
  const before = await digests(sourceUrl());
  const lost = moveDatabase({
    sourceUrl: sourceUrl(),
    targetUrl: target.ownerUrl,
    check: async () => undefined,
    onTable: ({ table }) => {
      if (table === 'merchant')
        void on(server.superuserUrl, (client) =>
          client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname ~ '^target'"),
        );
    },
  });
  await expect(lost).rejects.toThrow();
  expect(await problemOf(target.ownerUrl)).toBe(MOVE_PROBLEM);
  await expect(migrate(target.ownerUrl)).rejects.toThrow(MOVE_PROBLEM);

  const refused = moveDatabase({
    sourceUrl: sourceUrl(),
    targetUrl: target.ownerUrl,
    check: async () => Promise.reject(new Error('the check fails')),
  });
  await expect(refused).rejects.toThrow('the check fails');
  expect(await problemOf(target.ownerUrl)).toBe(MOVE_PROBLEM);
  expect(await digests(sourceUrl())).toEqual(before);

  await moveEmbedded(runtime().settings, target.ownerUrl, TEST_OPERATOR);
  expect(await problemOf(target.ownerUrl)).toBeUndefined();
  expect((await digests(target.ownerUrl)).payment).toBe(before.payment);
});

test('a database with data, or with another encoding, is no target and is not changed', async () => {
  const move = (url: string) => moveEmbedded(runtime().settings, url, TEST_OPERATOR);
  const theirs = await makeTarget();
  await on(theirs.ownerUrl, (client) => client.query('CREATE TABLE theirs (id int)'));
  await expect(move(theirs.ownerUrl)).rejects.toThrow("tables that are not Bili's");
  const ours = await makeTarget();
  await migrate(ours.ownerUrl);
  await expect(move(ours.ownerUrl)).rejects.toThrow('not empty');
  expect(await problemOf(ours.ownerUrl)).toBeUndefined();
  const ascii = await makeTarget("ENCODING 'SQL_ASCII' TEMPLATE template0");
  await expect(move(ascii.ownerUrl)).rejects.toThrow('UTF8');
});

test('the schema has no sequences and generated columns, which a move would not copy', async () => {
  const { rows } = await on(sourceUrl(), (client) =>
    client.query(`SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace
      UNION ALL SELECT attname FROM pg_attribute WHERE attgenerated <> '' OR attidentity <> ''`),
  );
  expect(rows).toEqual([]);
});

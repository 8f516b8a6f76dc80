import { afterEach, describe, expect, test } from 'vitest';
import { type PgBouncer, startPgBouncer } from '@/testing/fakes/pgbouncer';
import { testRuntime } from '@/testing/runtime';
import { type Database, openDatabase } from './database';
import { migrate } from './migrate';

const runtime = testRuntime();
const databaseUrl = () => runtime().settings.DATABASE_URL;
const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
  await onDatabase('ALTER ROLE %I IN DATABASE %I RESET ALL');
});

const onDatabase = (change: string) =>
  runtime().db.query({ text: `DO $$ BEGIN EXECUTE format('${change}', current_user, current_database()); END $$` });

async function startPooler(poolMode: 'transaction' | 'session', settings: readonly string[] = []): Promise<PgBouncer> {
  const pooler = await startPgBouncer({ databaseUrl: databaseUrl(), poolMode, settings });
  opened.push(() => pooler.stop());
  return pooler;
}

function open(url: string): Database {
  const db = openDatabase({ url, poolSize: 8, applicationName: 'test', onError: () => undefined });
  opened.push(() => db.close());
  return db;
}

const SHOW = {
  text: `SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement, current_setting('jit') AS jit`,
};
const EXPECTED = { lock: '5s', statement: '30s', jit: 'off' };

describe.each(['transaction', 'session'] as const)('behind PgBouncer in %s mode', (mode) => {
  test('a session is refused until migrate has stored the settings as defaults of the role', async () => {
    const { url } = await startPooler(mode);
    await expect(open(url).query(SHOW)).rejects.toThrow('the connection pooler loses these session settings: ');
    await migrate(url);
    // Parallel queries need new server connections. These connections have only the settings that `migrate` has stored.
    const db = open(url);
    const sleepers = Array.from({ length: 8 }, () => db.query({ text: `${SHOW.text} FROM pg_sleep(0.2)` }));
    expect((await Promise.all(sleepers)).flat()).toEqual(Array(8).fill(EXPECTED));
  });

  test('statements with the same name run on shared server connections', async () => {
    const { url } = await startPooler(mode, [`default_pool_size=${mode === 'transaction' ? 4 : 20}`]);
    await migrate(url);
    const [first, second] = [open(url), open(url)];
    const named = { name: 'double', text: 'SELECT $1::int * 2 AS double' };
    const results = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? first : second).query(named, [index]));
    expect((await Promise.all(results)).flat()).toEqual(Array.from({ length: 40 }, (_, index) => ({ double: index * 2 })));
  });

  test('timestamps are right although the role has another time zone', async () => {
    await onDatabase("ALTER ROLE %I IN DATABASE %I SET TimeZone = ''Africa/Dar_es_Salaam''");
    const { url } = await startPooler(mode);
    await migrate(url);
    const { prisma } = open(url);
    const createdAt = new Date('2026-11-22T00:15:51.123Z');
    const made = await prisma.merchant.create({
      data: { id: crypto.randomUUID(), slug: `zone-${mode}`, name: 'Zone', createdAt },
    });
    expect(made.createdAt).toEqual(createdAt);
    const stored = { text: 'SELECT created_at AS at FROM merchant WHERE slug = $1' };
    expect(await runtime().db.query(stored, [`zone-${mode}`])).toEqual([{ at: createdAt }]);
  });

  test("migrate stores the settings as defaults of the application's role, which does not own the tables", async () => {
    const application = await startPooler(mode);
    const owner = await startPgBouncer({ databaseUrl: runtime().settings.MIGRATE_DATABASE_URL ?? '', poolMode: mode });
    opened.push(() => owner.stop());
    await migrate(owner.url, { applicationUrl: application.url });
    await application.admin('RECONNECT');
    expect(await open(application.url).query(SHOW)).toEqual([EXPECTED]);
  });

  test('migrate releases its lock', async () => {
    const { url } = await startPooler(mode);
    await migrate(url);
    await migrate(url);
    const locks = {
      text: "SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE locktype = 'advisory' AND datname = current_database()",
    };
    expect(await runtime().db.query(locks)).toEqual([]);
  });
});

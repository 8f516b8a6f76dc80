import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../database';
import { startPgBouncer } from './pgbouncer';

const databaseUrl = testDatabase();

test('PgBouncer in transaction mode gives one server connection to several clients', async () => {
  const pooler = await startPgBouncer({ databaseUrl: databaseUrl(), poolMode: 'transaction', settings: ['default_pool_size=1'] });
  const clients = [new pg.Client(pooler.url), new pg.Client(pooler.url)];
  const pids = [];
  for (const client of clients) {
    await client.connect();
    pids.push((await client.query('SELECT pg_backend_pid() AS pid')).rows[0]?.pid);
  }
  expect(pids[0]).toBe(pids[1]);
  expect(await pooler.admin('SHOW POOLS')).toContainEqual(expect.objectContaining({ pool_mode: 'transaction', cl_active: 2 }));
  for (const client of clients) await client.end();
  await pooler.stop();
});

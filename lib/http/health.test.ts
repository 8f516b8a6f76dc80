import { expect, test } from 'vitest';
import { testListener } from '@/lib/testing/listener';
import { testRuntime } from '@/lib/testing/runtime';

const runtime = testRuntime();
const origin = testListener(runtime);

const LAST = '20261126000500_prompts_index';
const rename = (from: string, to: string) =>
  runtime().db.query({ text: 'UPDATE _prisma_migrations SET migration_name = $2 WHERE migration_name = $1' }, [from, to]);

async function ready(): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${origin()}/readyz`);
  return { status: response.status, body: await response.json() };
}

test('a process is not ready while the database lacks a migration of its version, and says which', async () => {
  expect(await ready()).toEqual({ status: 200, body: { status: 'ready' } });
  await rename(LAST, 'none');
  expect(await ready()).toEqual({
    status: 503,
    body: {
      status: 'not ready',
      reason: `The database is older than this version of Bili: it lacks the migration ${LAST}. Run "npm run -s bili -- migrate" first.`,
    },
  });
  await rename('none', LAST);
  expect((await ready()).status).toBe(200);
});

test('a process is ready on a newer database: the old version runs on during an upgrade', async () => {
  await runtime().db.query({
    text: "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('later', repeat('0', 64), '99990101000000_later', now())",
  });
  expect((await ready()).status).toBe(200);
});

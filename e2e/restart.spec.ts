import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { processesBelow } from '@/testing/process-tree';
import { type Product, startProduct } from '@/testing/product';
import { expect, merchantServer, test } from './product';

const CREATES = 200;
const AT_ONCE = 8;

/** Kills the whole process tree with SIGKILL, as a power cut would. With `fits`, kills only the processes whose command contains it. */
function killNow(product: Product, fits?: string): void {
  const supervisor = product.running().child.pid ?? 0;
  const family = processesBelow(supervisor);
  const victims = fits
    ? family.filter(({ command }) => command.includes(fits)).map(({ pid }) => pid)
    : [supervisor, ...family.map(({ pid }) => pid)];
  if (victims.length === 0) throw new Error(`nothing runs that fits ${fits}`);
  for (const pid of victims) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

test('kill -9 of web, worker, database and everything during 200 requests loses nothing and repeats nothing', {
  tag: '@full',
}, async () => {
  const product = await startProduct({ SANDBOX_DELAY_FACTOR: '0.05' });
  const { baseUrl, apiKey, apiSecret } = product.demo.sandbox;
  const answered = new Map<string, string>();
  let restarted: Promise<void> = Promise.resolve();

  const kills: { readonly at: number; readonly how: () => void }[] = [
    { at: 30, how: () => killNow(product, 'bili.mjs worker') },
    { at: 60, how: () => killNow(product, 'bili.mjs web') },
    { at: 90, how: () => killNow(product, 'postgres -D') },
    {
      at: 130,
      how: () => {
        killNow(product);
        restarted = product.running().exited.then(() => product.restart());
      },
    },
  ];

  async function create(reference: string): Promise<string> {
    // A merchant's server that got no answer repeats the request with the same Idempotency-Key.
    for (;;) {
      try {
        const response = await fetch(`${baseUrl}/api/v3/bills/create`, {
          method: 'POST',
          headers: { authorization: `ApiKey ${apiKey}:${apiSecret}`, 'content-type': 'application/json', 'idempotency-key': reference },
          body: JSON.stringify({ amount: 5000, reference, mobile: '0712345001' }),
        });
        if (response.ok) return (await response.json()).id;
        expect([409, 503]).toContain(response.status);
      } catch (error) {
        // `fetch` throws these errors if the process is killed before or while it answers. All other errors fail the test.
        if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
      }
      await delay(100);
    }
  }

  const references = Array.from({ length: CREATES }, (_, index) => `CRASH-${index}`);
  const todo = references.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const reference of todo) {
        answered.set(reference, await create(reference));
        for (const kill of kills.splice(0, kills[0] && answered.size >= kills[0].at ? 1 : 0)) kill.how();
      }
    }),
  );
  expect(kills).toEqual([]);
  await restarted;

  const server = merchantServer(product);
  for (const id of answered.values()) expect(await server.get(id)).toMatchObject({ id });

  const client = new pg.Client({ connectionString: await product.databaseUrl() });
  await client.connect();
  const ask = async (sql: string): Promise<unknown> => (await client.query(sql)).rows;
  expect(await ask("SELECT reference FROM bill WHERE reference LIKE 'CRASH-%' GROUP BY reference HAVING count(*) <> 1")).toEqual([]);
  expect(await ask("SELECT count(*)::int AS bills FROM bill WHERE reference LIKE 'CRASH-%'")).toEqual([{ bills: CREATES }]);
  // The simulated phone approves every prompt, and every bill becomes paid.
  await expect
    .poll(() => ask("SELECT count(*)::int AS unpaid FROM bill WHERE status <> 'FULLY_PAID'"), { timeout: 120_000, intervals: [500] })
    .toEqual([{ unpaid: 0 }]);
  expect(
    await ask(
      'SELECT a.bill_id FROM push_attempt a JOIN sandbox_prompt p ON p.reference = a.our_reference GROUP BY a.bill_id HAVING count(*) <> 1',
    ),
  ).toEqual([]);
  expect(await ask('SELECT bill_id FROM payment_allocation GROUP BY bill_id HAVING count(*) <> 1')).toEqual([]);
  expect(
    await ask(
      'SELECT id FROM bill b WHERE paid_amount <> (SELECT sum(amount) FROM payment_allocation WHERE bill_id = b.id) OR reserved_amount <> 0',
    ),
  ).toEqual([]);
  await client.end();
  await product.dispose();
});

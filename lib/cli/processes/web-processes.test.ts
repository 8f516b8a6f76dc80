// @module-tag full

import { expect, test } from 'vitest';
import { freePorts } from '@/testing/free-ports';
import { startProgram } from '@/testing/process';
import { makeBill, makeMerchant, TEST_SECRET_KEY, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();

test('several web processes answer at the same ports, replace a dead one and, at SIGUSR2, all of them without losing a request', async () => {
  const merchant = await makeMerchant(runtime());
  const billId = await makeBill(runtime(), merchant);
  const { id, secret } = await merchant.key('sandbox');
  const [live = 0, sandbox = 0] = await freePorts(2);
  const web = startProgram(['web'], {
    DATABASE_URL: runtime().settings.DATABASE_URL,
    SECRET_KEY: TEST_SECRET_KEY,
    PORT: String(live),
    SANDBOX_PORT: String(sandbox),
    WEB_PROCESSES: '2',
    DATABASE_POOL_SIZE: '10',
  });
  await web.printed('web runs in several processes');

  const processes = async () => {
    const rows = await runtime().db.query<{ pid: number }>({ text: "SELECT pid FROM heartbeat WHERE role = 'web' ORDER BY started_at" });
    return rows.map(({ pid }) => pid);
  };
  const get = async () => {
    const headers = { authorization: `ApiKey ${id}:${secret}`, connection: 'close' };
    return (await fetch(`http://127.0.0.1:${sandbox}/api/v3/bills/${billId}`, { headers })).status;
  };
  /** Sends requests until `done`, and returns the different statuses. */
  const statusesUntil = async (done: () => Promise<boolean>) => {
    const statuses = new Set<number>();
    do statuses.add(await get());
    while (!(await done()));
    return [...statuses];
  };

  const first = await processes();
  expect(first).toHaveLength(2);
  const [killed = 0, survivor = 0] = first;
  process.kill(killed, 'SIGKILL');
  await web.printed('a process died; starting it again');
  // The table `heartbeat` contains the row of the killed process until the row is too old.
  await expect.poll(async () => (await processes()).filter((pid) => pid !== killed)).toHaveLength(2);
  const second = (await processes()).filter((pid) => pid !== killed);
  expect(second).toContain(survivor);

  web.child.kill('SIGUSR2');
  const replaced = async () => web.output().includes('all web processes were replaced');
  expect(await statusesUntil(replaced)).toEqual([200]);
  expect((await processes()).filter((pid) => second.includes(pid))).toEqual([]);
  expect(web.output()).not.toContain('readyz answers 503');

  web.child.kill('SIGTERM');
  expect(await web.exited).toBe(0);
  await expect(get()).rejects.toThrow(TypeError);
});

// @module-tag full

import { expect, test } from 'vitest';
import { freePorts } from '@/testing/free-ports';
import { startProgram } from '@/testing/process';
import { makeBill, makeMerchant, TEST_SECRET_KEY, testRuntime } from '@/testing/runtime';
import { scrape } from '@/testing/scrape';

const runtime = testRuntime();
const READS = 'bili_api_requests_total{route="/api/v3/bills/:id",method="GET",status="2xx"}';

test('one port serves the metrics of all web processes, and keeps the counts of a process that has died', {
  timeout: 120_000,
}, async () => {
  const merchant = await makeMerchant(runtime());
  const billId = await makeBill(runtime(), merchant);
  const { id, secret } = await merchant.key('sandbox');
  const [live = 0, sandbox = 0, metrics = 0] = await freePorts(3);
  const web = startProgram(['web'], {
    DATABASE_URL: runtime().settings.DATABASE_URL,
    SECRET_KEY: TEST_SECRET_KEY,
    PORT: String(live),
    SANDBOX_PORT: String(sandbox),
    METRICS_PORT: String(metrics),
    WEB_PROCESSES: '2',
  });
  await web.printed('web runs in several processes');
  const get = async () => {
    const headers = { authorization: `ApiKey ${id}:${secret}`, connection: 'close' };
    return (await fetch(`http://127.0.0.1:${sandbox}/api/v3/bills/${billId}`, { headers })).status;
  };
  for (let n = 0; n < 20; n += 1) expect(await get()).toBe(200);
  const before = await scrape(metrics);
  expect(before.get(READS)).toBe(20);
  expect(before.get('bili_api_request_duration_seconds_count{route="/api/v3/bills/:id"}')).toBe(20);
  expect(before.get('bili_processes{role="web"}')).toBe(2);
  expect(before.get('bili_queue_items{queue="audit"}')).toBe(await unsealed());
  expect((await fetch(`http://127.0.0.1:${metrics}/readyz`)).status).toBe(200);

  const [{ pid } = { pid: 0 }] = await runtime().db.query<{ pid: number }>({ text: "SELECT pid FROM heartbeat WHERE role = 'web'" });
  process.kill(pid, 'SIGKILL');
  await web.printed('a process died; starting it again');
  expect((await scrape(metrics)).get(READS)).toBe(20);
  expect(await get()).toBe(200);
  expect((await scrape(metrics)).get(READS)).toBe(21);

  web.child.kill('SIGTERM');
  expect(await web.exited).toBe(0);
});

async function unsealed(): Promise<number> {
  const [row] = await runtime().db.query<{ count: number }>({
    text: 'SELECT count(*)::int AS count FROM audit_entry WHERE chain_number IS NULL',
  });
  return row?.count ?? 0;
}

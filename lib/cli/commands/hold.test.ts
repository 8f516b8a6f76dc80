import { expect, test } from 'vitest';
import { insertHold } from '@/lib/platform/hold/hold-store';
import { testCommand } from '@/testing/command';
import { runCommand } from '@/testing/run-command';
import { makeBill, makeMerchant, TEST_SECRET_KEY, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const { bili, json } = testCommand(runtime);
const AS = ['--as', 'neema'] as const;

test('an operator sees the hold, and ends it by name after a confirmation', async () => {
  const billId = await makeBill(runtime(), await makeMerchant(runtime()), { environment: 'live' });
  expect(await json('hold')).toMatchObject({ hold: null, copy: { merchants: 1, newestBill: { id: billId }, newestPayment: null } });
  await insertHold(runtime().db, { since: runtime().clock(), reason: 'restored' });
  expect(await json('hold')).toMatchObject({ hold: { reason: 'restored' } });
  const doctor = await bili('doctor', '--quick', '--json');
  expect(JSON.parse(doctor.stdout)).toContainEqual(expect.objectContaining({ name: 'on_hold', level: 'note' }));

  const { DATABASE_URL } = runtime().settings;
  const env = { DATABASE_URL, SECRET_KEY: TEST_SECRET_KEY, BILI_OPERATOR: '' };
  const nameless = await runCommand(['hold', 'end', '--reason', 'checked', '--yes'], env);
  expect(nameless.code).toBe(1);
  const unconfirmed = await bili(...AS, 'hold', 'end', '--reason', 'checked');
  expect(unconfirmed).toMatchObject({ code: 1, stderr: expect.stringContaining(billId) });
  expect((await bili(...AS, 'hold', 'end', '--yes')).code).toBe(2);
  expect(await json('hold')).toMatchObject({ hold: { reason: 'restored' } });

  const ended = await bili(...AS, 'hold', 'end', '--reason', 'checked', '--yes');
  expect(ended.code).toBe(0);
  const [entry] = await runtime().db.prisma.auditEntry.findMany({ where: { action: 'hold.ended' } });
  expect(entry).toMatchObject({ actor: expect.stringContaining('neema'), data: { reason: 'checked' } });
  expect((await bili(...AS, 'hold', 'end', '--reason', 'checked', '--yes')).code).toBe(1);
});

test('an operator puts a copy on hold, once', async () => {
  expect((await bili(...AS, 'hold', 'start', '--reason', 'a drill')).code).toBe(0);
  const again = await bili(...AS, 'hold', 'start', '--reason', 'another drill');
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('a drill') });
});

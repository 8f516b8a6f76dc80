import { beforeAll, describe, expect, test } from 'vitest';
import { listBillDeliveries } from '@/lib/backoffice/delivery-log/list-deliveries';
import { applyOutcome } from '@/lib/gateway/attempts/apply-outcome';
import { findAnyBill } from '@/lib/gateway/bills/store';
import { listAttempts } from '@/lib/gateway/payments/store';
import { promptAgain } from '@/lib/gateway/prompts/prompt-again';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { operatorAccess } from '@/lib/identity/accounts/access/grant-access';
import { operatorActor } from '@/lib/platform/core/actor';
import { REASON_MAX } from '@/lib/platform/core/text';
import { joinAs } from '@/testing/data/access';
import { pay } from '@/testing/data/paying';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { closeBill, reopenBill } from './close-bill';
import { showBill } from './show-bill';
import { listEventRows } from './timeline-store';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9', DATABASE_POOL_SIZE: '20' });
const sandbox = testSandbox(runtime);
let merchant: TestMerchant;
let admin: MerchantAccess;

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  admin = await joinAs(runtime(), merchant, 'admin');
});

const newBill = (mobile: string | null = null) => makeBill(runtime(), merchant, { amount: 5_000, mobile });
const close = (billId: string, reason = 'sold to somebody else') => closeBill(runtime(), admin, { billId, reason });
const reopen = (billId: string) => reopenBill(runtime(), admin, { billId, reason: 'a mistake' });
const push = (billId: string, number = '0712345005') =>
  promptAgain(runtime(), admin, { billId, mobile: number, network: '', amount: null, formId: crypto.randomUUID() });
const events = async (billId: string) => (await listEventRows(runtime().db, admin.scope, billId)).map(({ type }) => type);

test('a closed bill gets no prompts until it is reopened, and its history stores who closed it, why, and the earlier state', async () => {
  const billId = await newBill();
  expect(await close(billId)).toEqual({ ok: true, value: null });
  expect((await findAnyBill(runtime().db, billId))?.closedAt).toBeInstanceOf(Date);
  expect(await push(billId)).toMatchObject({ ok: false, error: { kind: 'closed' } });
  expect(await close(billId)).toMatchObject({ error: 'already_closed' });
  expect(await reopen(billId)).toMatchObject({ ok: true });
  expect(await reopen(billId)).toMatchObject({ error: 'not_closed' });
  expect(await push(billId)).toMatchObject({ ok: true });
  expect(await events(billId)).toEqual(['bill.created', 'bill.closed', 'bill.reopened', 'attempt.queued']);
  const entries = await runtime().db.prisma.auditEntry.findMany({ where: { subject: billId }, orderBy: { id: 'asc' } });
  expect(entries).toMatchObject([
    {
      action: 'bill.closed',
      actor: `user:${admin.user.email}`,
      address: '192.0.2.1',
      data: { reason: 'sold to somebody else', before: null, after: expect.any(String) },
    },
    { action: 'bill.reopened', data: { before: expect.any(String), after: null } },
  ]);
  expect(await listBillDeliveries(runtime(), admin, billId)).toEqual([]);
});

test('a bill with an open attempt or a paid bill cannot be closed', async () => {
  const asked = await newBill('0712345005');
  expect(await close(asked)).toMatchObject({ error: 'prompt_open' });
  const paid = await newBill();
  await pay(runtime(), paid, 500_000n);
  expect(await close(paid)).toMatchObject({ error: 'paid' });
});

test('a part-paid bill can be closed', async () => {
  const billId = await newBill();
  await pay(runtime(), billId, 100_000n);
  expect(await close(billId)).toMatchObject({ ok: true });
});

describe('a member without the permission', () => {
  test('is refused, and bills of another merchant or collector are not found', async () => {
    const billId = await newBill();
    const options = { billId, reason: 'x', address: null };
    for (const role of ['viewer', 'collector'] as const) {
      expect(await closeBill(runtime(), await joinAs(runtime(), merchant, role), options)).toMatchObject({ error: 'not_allowed' });
    }
    const stranger = await joinAs(runtime(), await makeMerchant(runtime()), 'owner');
    expect(await closeBill(runtime(), stranger, options)).toMatchObject({ error: 'not_found' });
    const live = await joinAs(runtime(), merchant, 'owner', 'live');
    expect(await closeBill(runtime(), live, options)).toMatchObject({ error: 'not_found' });
    expect(await close('not an id')).toMatchObject({ error: 'not_found' });
    expect(await close(billId, ' \u0000 ')).toMatchObject({ error: 'reason_required' });
    expect(await close(billId, 'x'.repeat(REASON_MAX + 1))).toMatchObject({ error: 'reason_too_long' });
    expect(await events(billId)).toEqual(['bill.created']);
  });
});

test('the operator closes any bill', async () => {
  const billId = await newBill();
  const access = operatorAccess(operatorActor('asha'), merchant.scope('sandbox'));
  const reason = 'court order';
  expect(await closeBill(runtime(), access, { billId, reason })).toMatchObject({ ok: true });
  expect(await closeBill(runtime(), access, { billId: crypto.randomUUID(), reason })).toMatchObject({ error: 'not_found' });
});

test('of a closing and a payment request at the same time, one wins and the other is refused', async () => {
  for (let round = 0; round < 10; round += 1) {
    const billId = await newBill();
    const [closed, asked] = await Promise.all([close(billId), push(billId)]);
    expect([closed.ok, asked.ok].filter(Boolean)).toHaveLength(1);
    const bill = await findAnyBill(runtime().db, billId);
    expect({ closed: bill?.closedAt !== null, reserved: bill?.reservedAmount }).toEqual(
      closed.ok ? { closed: true, reserved: 0n } : { closed: false, reserved: 500_000n },
    );
  }
});

test('late money for a closed bill is booked and announced, and the bill stays closed', async () => {
  const billId = await newBill('0712345011');
  for (let round = 0; round < 40 && (await open(billId)); round += 1) {
    await sandbox.step();
    runtime().advance(5_000);
  }
  expect((await listAttempts(runtime().db, billId)).map(({ state }) => state)).toEqual(['EXPIRED']);
  expect(await close(billId)).toMatchObject({ ok: true });
  await payLate(billId, 200_000n);
  const bill = await findAnyBill(runtime().db, billId);
  expect(bill).toMatchObject({ status: 'PARTIALLY_PAID', paidAmount: 200_000n, closedAt: expect.any(Date) });
  expect(await listBillDeliveries(runtime(), admin, billId)).toMatchObject([{ billStatus: 'PARTIALLY_PAID' }]);
  expect(await webhooksShown(billId)).toBe(0);
  await runtime().db.prisma.webhookEndpoint.updateMany({ where: admin.scope, data: { url: 'https://example.com/hook' } });
  expect(await webhooksShown(billId)).toBe(1);
  expect(await reopen(billId)).toMatchObject({ ok: true });
});

/** Returns the number of webhooks in the bill's history. It is 0 while the merchant has no webhook address. */
async function webhooksShown(billId: string): Promise<number> {
  const view = await showBill(runtime(), admin, billId);
  return view?.timeline.filter(({ kind }) => kind === 'webhook').length ?? 0;
}

/** Applies the late outcome that the customer has paid after the prompt expired. */
async function payLate(billId: string, amount: bigint): Promise<void> {
  const attempt = (await listAttempts(runtime().db, billId)).at(-1);
  const pace = runtime().providers.find('sandbox')?.capabilities;
  if (!attempt || !pace) throw new Error('there is no prompt');
  const outcome = { kind: 'paid', transactionId: `LATE-${attempt.ourReference}`, amount } as const;
  await applyOutcome(runtime(), {
    attempt,
    outcome,
    providerAccountId: attempt.providerAccountId,
    pace,
    source: 'callback',
    leaseToken: null,
  });
}

async function open(billId: string): Promise<boolean> {
  return (await listAttempts(runtime().db, billId)).some(({ state }) => state !== 'EXPIRED');
}

import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findPaymentsOfBill } from '@/lib/gateway/ledger/payment-store';
import { listAttempts } from '@/lib/gateway/payments/store';
import { findAccountById, openAccount } from '@/lib/providers/accounts/account-store';
import { type SandboxReport, SIGNATURE_HEADER, signCallback } from '@/lib/providers/sandbox/wire';
import { reverseAtProvider } from '@/testing/data/sandbox';
import { makeBill } from '@/testing/runtime';
import { CALLBACK_CASES, type Death, REQUEST_DEATHS, UNREPEATED_DEATHS } from './cases';
import { expectAllIsWell, expectNothingHalfDone, type Movement } from './invariants';
import { drain, endLeases, hasten } from './settle';
import { hasDied, SANDBOX_ACCOUNT, testWorld } from './world';

// The tests start and kill many processes, which takes time on a busy machine.
// With this delay factor, the provider calls back long before a worker sends a status query.
const world = testWorld(0.2);
const elsewhere: Movement[] = [];

/** Repeats a request while the web process is killed at one fail point after the other. Returns the first complete answer. */
async function askUntilAnswered(deaths: readonly Death[], ask: () => Promise<Response>): Promise<Response> {
  for (const death of deaths) {
    const web = await world().start('web', death);
    await expect(ask()).rejects.toThrow(TypeError);
    await hasDied(web, death);
    await expectNothingHalfDone(world());
  }
  const web = await world().start('web');
  const answer = await ask();
  await web.kill('SIGTERM');
  return answer;
}

/** Sends a callback once. The web process stores the callback and is killed before it answers. */
async function callBackUnheard(report: SandboxReport): Promise<void> {
  const web = await world().start('web', UNREPEATED_DEATHS.web);
  await expect(callBack(report)).rejects.toThrow(TypeError);
  await hasDied(web, UNREPEATED_DEATHS.web);
}

/**
 * Reverses a bill's payment with a worker that dies after the provider's answer. The first status query of the reversal is due in an hour.
 * Returns our reference of the reversal.
 */
async function reverseWithLostAnswer(billId: string): Promise<string> {
  const { db } = world().runtime;
  const [payment] = await findPaymentsOfBill(db, billId);
  await world().bili(['payment', 'reverse', payment?.id ?? '', '--reason', 'sent twice']);
  await hasDied(await world().start('worker', 'refund.called'), 'refund.called');
  const [request] = await db.query<{ our_reference: string }>({
    text: `UPDATE refund SET state = 'UNKNOWN', lease_until = NULL, due_at = now() + interval '1 hour' WHERE state = 'SENDING'
           RETURNING our_reference`,
  });
  return request?.our_reference ?? '';
}

/** Runs everything until nothing is due. */
async function work(): Promise<void> {
  const running = await Promise.all([world().start('web'), world().start('worker')]);
  await drain(world(), { callbacks: true });
  for (const one of running) await one.kill('SIGTERM');
  await expectAllIsWell(world(), elsewhere);
}

/** Creates bills whose customers have got their prompts. No worker runs afterwards, so the test can act as the provider. */
async function promptedBills(...phones: readonly string[]): Promise<{ billId: string; reference: string }[]> {
  const { runtime, merchant } = world();
  const bills: string[] = [];
  for (const phone of phones) bills.push(await makeBill(runtime, merchant, { mobile: `0712345${phone}` }));
  const worker = await world().start('worker');
  const attempts = async () => (await Promise.all(bills.map((billId) => listAttempts(runtime.db, billId)))).flat();
  const asked = phones.map(() => ({ state: 'AWAITING_CUSTOMER' }));
  await expect.poll(attempts, { interval: 10 }).toMatchObject(asked);
  await worker.kill('SIGTERM');
  return (await attempts()).map(({ billId, ourReference }) => ({ billId, reference: ourReference }));
}

async function promptedBill(phone: string): Promise<{ billId: string; reference: string }> {
  const [prompted] = await promptedBills(phone);
  if (!prompted) throw new Error('the bill has no prompt');
  return prompted;
}

/** Returns the simulated provider's record of an attempt. */
async function receiptOf(reference: string): Promise<Pick<SandboxReport, 'receipt' | 'amount'>> {
  const [found] = await world().runtime.db.query<{ receipt: string; amount: number }>(
    { text: 'SELECT receipt, amount::int AS amount FROM sandbox_prompt WHERE reference = $1' },
    [reference],
  );
  return found ?? { receipt: null, amount: null };
}

/** Sends a callback as the simulated provider does. */
async function callBack(report: SandboxReport): Promise<Response> {
  const { runtime, sandboxUrl } = world();
  const account = await findAccountById(runtime.db, SANDBOX_ACCOUNT);
  if (!account) throw new Error('the sandbox has no account');
  const body = JSON.stringify(report);
  const signature = signCallback(runtime.secrets.key('sandbox-provider'), body);
  const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature };
  return fetch(sandboxUrl + new URL(openAccount(runtime, account).callbackUrl).pathname, { method: 'POST', headers, body });
}

const billOf = (id: string) => world().runtime.db.query({ text: 'SELECT status FROM bill WHERE id = $1' }, [id]);

describe('web killed, one point after the other, while', () => {
  test('merchants create many bills at once: each request that was answered or is repeated has one bill', { tags: ['full'] }, async () => {
    const { merchant, sandboxUrl, runtime } = world();
    const { id, secret } = await merchant.key('sandbox');
    const references = Array.from({ length: 24 }, (_, n) => `AT-ONCE-${n}`);
    const create = async (reference: string) => {
      const headers = { authorization: `ApiKey ${id}:${secret}`, 'content-type': 'application/json', 'idempotency-key': reference };
      const body = JSON.stringify({ amount: 5000, reference });
      const answer = await fetch(`${sandboxUrl}/api/v3/bills/create`, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
      return z.object({ id: z.string() }).parse(await answer.json()).id;
    };
    const acknowledged = new Map<string, string>();
    const createAll = async () => {
      const answers = await Promise.allSettled(references.map(create));
      for (const [index, answer] of answers.entries()) {
        const reference = references[index] ?? '';
        if (answer.status === 'rejected') continue;
        expect(acknowledged.get(reference) ?? answer.value).toBe(answer.value);
        acknowledged.set(reference, answer.value);
      }
      return answers.filter(({ status }) => status === 'fulfilled').length;
    };
    for (const death of REQUEST_DEATHS.createMany) {
      const web = await world().start('web', death);
      expect(await createAll()).toBeLessThan(references.length);
      await hasDied(web, death);
    }
    const web = await world().start('web');
    expect(await createAll()).toBe(references.length);
    await web.kill('SIGTERM');
    const bills = await runtime.db.query<{ id: string; reference: string }>({
      text: "SELECT id, reference FROM bill WHERE reference LIKE 'AT-ONCE-%'",
    });
    expect(bills.length).toBe(references.length);
    expect(new Map(bills.map((bill) => [bill.reference, bill.id]))).toEqual(new Map([...acknowledged].toSorted()));
  });

  test('a merchant creates a bill: there is one bill, and repeated requests get the same answer', async () => {
    const { merchant, sandboxUrl, runtime } = world();
    const { id, secret } = await merchant.key('sandbox');
    const answer = await askUntilAnswered(REQUEST_DEATHS.create, () =>
      fetch(`${sandboxUrl}/api/v3/bills/create`, {
        method: 'POST',
        headers: { authorization: `ApiKey ${id}:${secret}`, 'content-type': 'application/json', 'idempotency-key': 'K' },
        body: JSON.stringify({ amount: 5000, reference: 'CREATED', mobile: '0712345001' }),
      }),
    );
    expect(answer.headers.get('idempotency-replayed')).toBe('true');
    await work();
    const bills = await runtime.db.query({ text: "SELECT id, status FROM bill WHERE reference = 'CREATED'" });
    expect(bills).toEqual([{ id: (await answer.json()).id, status: 'FULLY_PAID' }]);
  });

  test('a customer requests a prompt on the payment page: there is one prompt', { tags: ['full'] }, async () => {
    const { merchant, sandboxUrl, runtime } = world();
    const billId = await makeBill(runtime, merchant, { mobile: null });
    const body = new URLSearchParams({ bill: billId, mobile: '0712345001', form: 'asked-before-the-crash' });
    const answer = await askUntilAnswered(REQUEST_DEATHS.page, () =>
      fetch(`${sandboxUrl}/pay`, { method: 'POST', redirect: 'manual', body }),
    );
    expect(answer.status).toBe(303);
    await work();
    expect(await listAttempts(runtime.db, billId)).toMatchObject([{ state: 'SUCCEEDED' }]);
    expect(await billOf(billId)).toEqual([{ status: 'FULLY_PAID' }]);
  });

  test('the provider reports a payment and then its reversal', { tags: ['full'] }, async () => {
    const { db, clock } = world().runtime;
    const { billId, reference } = await promptedBill('001');
    const report = { reference, ...(await receiptOf(reference)) };
    const paid = { ...report, status: 'PAID', reversalReceipt: null } as const;
    expect((await askUntilAnswered(REQUEST_DEATHS.paid, () => callBack(paid))).status).toBe(200);
    expect(await billOf(billId)).toEqual([{ status: 'FULLY_PAID' }]);

    await reverseAtProvider(db, reference, clock());
    const reversed = { ...report, status: 'REVERSED', reversalReceipt: `${report.receipt}R` } as const;
    expect((await askUntilAnswered(REQUEST_DEATHS.returned, () => callBack(reversed))).status).toBe(200);
    await work();
    expect(await billOf(billId)).toEqual([{ status: 'NOT_PAID' }]);
  });

  test('money with an unknown reference arrives and is reversed', { tags: ['full'] }, async () => {
    const report = { reference: 'NOT-OURS', status: 'REVERSED', receipt: 'ELSEWHERE', amount: 700, reversalReceipt: 'ELSEWHERER' } as const;
    expect((await askUntilAnswered(REQUEST_DEATHS.unmatched, () => callBack(report))).status).toBe(200);
    elsewhere.push(
      { kind: 'payment', receipt: 'ELSEWHERE', amount: 70_000n },
      { kind: 'reversal', receipt: 'ELSEWHERER', amount: 70_000n },
    );
    await work();
  });
});

test('web killed when it has stored what the provider does not repeat, and a worker when it is about to apply that', {
  tags: ['full'],
}, async () => {
  // The simulated provider sends no callback for phone 007.
  const [first, second] = await promptedBills('007', '007');
  if (!first || !second) throw new Error('two bills were made');
  const reportOf = async (reference: string) => ({ reference, ...(await receiptOf(reference)), reversalReceipt: null });
  const report = await reportOf(first.reference);
  const other = await reportOf(second.reference);
  const both = await askUntilAnswered([], async () => {
    await callBack({ ...report, status: 'EXPIRED' });
    return callBack({ ...other, status: 'PAID' });
  });
  expect(both.status).toBe(200);
  const reversal = await reverseWithLostAnswer(second.billId);

  await callBackUnheard({ ...report, status: 'PAID' });
  await callBackUnheard({ reference: 'NOBODYS', status: 'PAID', receipt: 'ONCE', amount: 300, reversalReceipt: null });
  elsewhere.push({ kind: 'payment', receipt: 'ONCE', amount: 30_000n });
  await callBackUnheard({ reference: reversal, status: 'PENDING', receipt: null, amount: null, reversalReceipt: null });
  await hasten(world());
  await hasDied(await world().start('worker', UNREPEATED_DEATHS.worker), UNREPEATED_DEATHS.worker);
  // The worker may have been killed during a delivery.
  await endLeases(world());
  await work();
  expect(await listAttempts(world().runtime.db, first.billId)).toMatchObject([{ state: 'SUCCEEDED' }]);
  expect(await billOf(first.billId)).toEqual([{ status: 'FULLY_PAID' }]);
  const states = { text: 'SELECT state FROM refund WHERE our_reference = $1' };
  expect(await world().runtime.db.query(states, [reversal])).toEqual([{ state: 'DONE' }]);
});

test.each(CALLBACK_CASES)(
  'web killed at $death while the simulated provider calls back (phone $phone)',
  { tags: ['full'] },
  async ({ death, phone }) => {
    const { runtime, merchant } = world();
    const [web, worker] = await Promise.all([world().start('web', death), world().start('worker')]);
    const billId = await makeBill(runtime, merchant, { mobile: `0712345${phone}` });
    await hasDied(web, death);
    await worker.kill('SIGTERM');
    await work();
    expect(await billOf(billId)).toEqual([{ status: 'FULLY_PAID' }]);
  },
);

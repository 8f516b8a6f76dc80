import { beforeAll, describe, expect, test } from 'vitest';
import { findAccountById } from '@/lib/payments/account-store';
import { openAccount } from '@/lib/payments/accounts';
import { listAttempts } from '@/lib/payments/store';
import { appendReversal } from '@/lib/providers/sandbox/store';
import { SIGNATURE_HEADER, signCallback } from '@/lib/providers/sandbox/wire';
import type { Running } from '@/lib/testing/process';
import { makeBill } from '@/lib/testing/runtime';
import { CALLBACK_CASES, CREATE_DEATHS, type Death, type Ending, PAGE_DEATHS, TAKEN_BACK_DEATHS, UNMATCHED_DEATHS } from './cases';
import { expectAllIsWell, type Movement } from './invariants';
import { drain } from './settle';
import { hasDied, testWorld } from './world';

// Slow enough that the provider calls back long before a worker asks.
const world = testWorld(0.2);
const SANDBOX_ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';
const elsewhere: Movement[] = [];

beforeAll(() => world().start('worker'));

/** Has the web process die, once `act` has made it pass a point; then starts it again and waits until nothing is due. */
async function killWeb(death: Death, act: () => Promise<unknown>, again: () => Promise<unknown> = async () => undefined): Promise<void> {
  const web = await world().start('web', death);
  await act();
  await hasDied(web, death);
  await withWeb(again);
}

async function withWeb(act: (web: Running) => Promise<unknown>): Promise<void> {
  const web = await world().start('web');
  await act(web);
  await drain(world(), { callbacks: true });
  await web.kill('SIGTERM');
  await expectAllIsWell(world(), elsewhere);
}

/** A request whose answer never comes, because who would give it is killed. */
async function unanswered(request: Promise<Response>): Promise<void> {
  await expect(request).rejects.toThrow(TypeError);
}

async function statusOf(billId: string): Promise<Ending | undefined> {
  const [bill] = await world().runtime.db.query<{ status: Ending }>({ text: 'SELECT status FROM bill WHERE id = $1' }, [billId]);
  return bill?.status;
}

describe('web killed while a merchant creates a bill, at', () => {
  test.each(CREATE_DEATHS)('%s', async (death) => {
    const { merchant, sandboxUrl, runtime } = world();
    const { id, secret } = await merchant.key('sandbox');
    const create = () =>
      fetch(`${sandboxUrl}/api/v3/bills/create`, {
        method: 'POST',
        headers: { authorization: `ApiKey ${id}:${secret}`, 'content-type': 'application/json', 'idempotency-key': death },
        body: JSON.stringify({ amount: 5000, reference: death, mobile: '0712345001' }),
      });
    let answer: { id: string } | undefined;
    await killWeb(
      death,
      () => unanswered(create()),
      async () => {
        const response = await create();
        expect(response.status).toBe(200);
        answer = await response.json();
      },
    );
    const bills = await runtime.db.query({ text: 'SELECT id, status FROM bill WHERE reference = $1' }, [death]);
    expect(bills).toEqual([{ id: answer?.id, status: 'FULLY_PAID' }]);
  });
});

describe('web killed while a customer asks for a prompt, at', () => {
  test.each(PAGE_DEATHS)('%s', async (death) => {
    const { merchant, sandboxUrl, runtime } = world();
    const billId = await makeBill(runtime, merchant, { mobile: null });
    const submit = () =>
      fetch(`${sandboxUrl}/pay`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ bill: billId, mobile: '0712345001', after: '' }),
      });
    // The browser sends the same form again.
    await killWeb(
      death,
      () => unanswered(submit()),
      async () => expect((await submit()).status).toBe(303),
    );
    expect(await listAttempts(runtime.db, billId)).toMatchObject([{ state: 'SUCCEEDED' }]);
    expect(await statusOf(billId)).toBe('FULLY_PAID');
  });
});

describe('web killed while the provider calls back, at', () => {
  test.each(CALLBACK_CASES)('$death (phone $phone)', async ({ death, phone }) => {
    const { runtime, merchant } = world();
    let billId = '';
    await killWeb(death, async () => {
      billId = await makeBill(runtime, merchant, { mobile: `0712345${phone}` });
    });
    expect(await statusOf(billId)).toBe('FULLY_PAID');
  });
});

describe('web killed while the provider takes money back, at', () => {
  const billIds: string[] = [];
  beforeAll(() =>
    withWeb(async () => {
      for (const _ of TAKEN_BACK_DEATHS) billIds.push(await makeBill(world().runtime, world().merchant, { mobile: '0712345001' }));
    }),
  );
  test.each(TAKEN_BACK_DEATHS)('%s', async (death) => {
    const { db, clock } = world().runtime;
    const billId = billIds.pop() ?? '';
    const [attempt] = await listAttempts(db, billId);
    await killWeb(death, () => appendReversal(db, attempt?.ourReference ?? '', clock()));
    expect(await statusOf(billId)).toBe('NOT_PAID');
  });
});

describe('web killed while money comes, and goes back, under an unknown reference, at', () => {
  test.each(UNMATCHED_DEATHS.map((death, index) => ({ death, receipt: `ELSEWHERE${index}` })))('$death', async ({ death, receipt }) => {
    const { runtime } = world();
    const account = await findAccountById(runtime.db, SANDBOX_ACCOUNT);
    if (!account) throw new Error('the sandbox has no account');
    const { pathname } = new URL(openAccount(runtime, account).callbackUrl);
    const report = { reference: receipt, status: 'REVERSED', receipt, amount: 700, reversalReceipt: `${receipt}R` };
    const body = JSON.stringify(report);
    const callBack = () =>
      fetch(world().sandboxUrl + pathname, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signCallback(runtime.secrets.key('sandbox-provider'), body) },
        body,
      });
    elsewhere.push({ kind: 'payment', receipt, amount: 70_000n }, { kind: 'reversal', receipt: `${receipt}R`, amount: 70_000n });
    await killWeb(
      death,
      () => unanswered(callBack()),
      async () => expect((await callBack()).status).toBe(200),
    );
  });
});

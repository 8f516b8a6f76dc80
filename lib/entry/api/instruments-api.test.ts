import { beforeAll, expect, test } from 'vitest';
import { payInstrument } from '@/lib/providers/scenarios/instrument-store';
import { pay } from '@/testing/data/paying';
import { testSandbox } from '@/testing/data/sandbox';
import { testListener } from '@/testing/fakes/listener';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const sandbox = testSandbox(runtime);
const origin = testListener(runtime);
let merchant: TestMerchant;
let key: { readonly id: string; readonly secret: string };

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  key = await merchant.key('sandbox');
});

interface Answer {
  readonly instruments: readonly Record<string, unknown>[];
}

async function call(path: string, { method = 'GET', as = key } = {}) {
  const headers = { authorization: `ApiKey ${as.id}:${as.secret}` };
  const response = await fetch(`${origin()}/api/v3/bills/${path}`, { method, headers });
  const json: Answer & Record<string, unknown> = await response.json();
  return { status: response.status, code: response.headers.get('bili-error'), json };
}

const ask = (id: string, as = key) => call(`${id}/instruments`, { method: 'POST', as });
const list = async (id: string) => (await call(`${id}/instruments`)).json.instruments;

async function issued(amount = 5000): Promise<string> {
  const id = await makeBill(runtime(), merchant, { amount });
  await ask(id);
  await sandbox.step();
  return id;
}

test('instruments are pending first, then they can be paid, and asking again changes nothing', async () => {
  const id = await makeBill(runtime(), merchant, { amount: 5000.5 });
  expect(await list(id)).toEqual([]);
  const asked = await ask(id);
  const pending = { state: 'PENDING', amount: 5001, number: null, qr: null, link: null, endedAt: null, reason: null };
  expect(asked).toMatchObject({ status: 200, json: { instruments: [pending] } });
  expect(await ask(id)).toEqual(asked);
  await sandbox.step();
  const [instrument] = await list(id);
  expect(instrument).toMatchObject({
    id: asked.json.instruments[0]?.id,
    state: 'ACTIVE',
    number: expect.stringMatching(/^\d{8}$/),
    qr: expect.stringMatching(/^000201/),
    link: expect.stringMatching(/^http/),
    networks: expect.arrayContaining(['vodacom']),
    takes: 'exact',
    expiresAt: expect.any(Number),
  });
  expect((await ask(id)).json.instruments).toEqual([instrument]);
});

test('requests at the same time issue one instrument', async () => {
  const id = await makeBill(runtime(), merchant, { amount: 5000 });
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask(id)));
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect(await list(id)).toHaveLength(1);
});

test('an instrument that the bill has outgrown does not look active, and its ways are hidden', async () => {
  const id = await issued();
  await pay(runtime(), id, 200_000n);
  const hidden = { state: 'ENDED', reason: 'changed', number: null, qr: null, link: null };
  expect(await list(id)).toMatchObject([{ ...hidden, endedAt: null }]);
  await sandbox.step();
  await sandbox.step();
  const [old, next] = await list(id);
  expect(old).toMatchObject({ ...hidden, endedAt: expect.any(Number) });
  expect(next).toMatchObject({ state: 'ACTIVE', amount: 3000 });
  await pay(runtime(), id, 300_000n);
  expect(await list(id)).toMatchObject([hidden, { ...hidden, reason: 'paid' }]);
});

test('a payment is booked without a number or a payment request', async () => {
  const id = await issued();
  const reference = await ourReference(id);
  const paid = await payInstrument(runtime(), reference, { amount: 5000n, mobile: null });
  expect(paid).toMatchObject({ ok: true });
  runtime().advance(60_000);
  await sandbox.step();
  const { json } = await call(id);
  expect(json).toMatchObject({ status: 'FULLY_PAID', paidAmount: 5000, lastAttempt: null });
  expect((await call(`${id}/payments`)).json).toMatchObject({ payments: [{ kind: 'payment', source: 'provider', amount: 5000 }] });
});

test('what cannot be paid or issued is refused with its reason', async () => {
  const paid = await makeBill(runtime(), merchant, { amount: 5000 });
  await pay(runtime(), paid, 500_000n);
  expect(await ask(paid)).toMatchObject({ status: 409, code: 'instrument_not_payable' });
  const closed = await issued();
  await fetch(`${origin()}/api/v3/bills/${closed}/close`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${key.id}:${key.secret}` },
  });
  expect(await ask(closed)).toMatchObject({ status: 409, code: 'instrument_not_payable' });
  expect(await list(closed)).toMatchObject([{ state: 'ENDED', reason: 'closed' }]);
  const huge = await makeBill(runtime(), merchant, { amount: 900_000_000 });
  expect(await ask(huge)).toMatchObject({ status: 409, code: 'instrument_not_offered' });
});

test('a bill gets only so many instruments in a day', async () => {
  const id = await issued();
  await runtime().db.query(
    {
      text: `INSERT INTO instrument (id, merchant_id, environment, bill_id, provider_account_id, kind, amount, our_reference, state, created_at,
               end_reason, ended_at, closed_at)
             SELECT gen_random_uuid(), merchant_id, environment, bill_id, provider_account_id, 'old', amount,
               'OLD' || lpad(n::text, 17, '0'), 'ENDED', created_at, 'changed', created_at, created_at
             FROM instrument CROSS JOIN generate_series(1, 19) n WHERE bill_id = $1`,
    },
    [id],
  );
  await runtime().db.query(
    { text: "UPDATE instrument SET state = 'ENDED', end_reason = 'expired', ended_at = created_at WHERE bill_id = $1" },
    [id],
  );
  expect(await ask(id)).toMatchObject({ status: 409, code: 'instrument_too_many' });
});

test('asking needs the scope create, reading the scope read, and other merchants see nothing', async () => {
  const id = await issued();
  const reader = await merchant.key('sandbox', ['read']);
  expect(await ask(id, reader)).toMatchObject({ status: 403, code: 'key_scope_missing' });
  expect(await call(`${id}/instruments`, { as: reader })).toMatchObject({ status: 200 });
  const creator = await merchant.key('sandbox', ['create']);
  expect(await ask(id, creator)).toMatchObject({ status: 200 });
  expect(await call(`${id}/instruments`, { as: creator })).toMatchObject({ status: 403, code: 'key_scope_missing' });
  const other = await (await makeMerchant(runtime())).key('sandbox');
  expect(await ask(id, other)).toMatchObject({ status: 404, code: 'bill_not_found' });
  expect(await call(`${id}/instruments`, { as: other })).toMatchObject({ status: 404, code: 'bill_not_found' });
  expect(await ask('nothing')).toMatchObject({ status: 404, code: 'bill_not_found' });
});

async function ourReference(billId: string): Promise<string> {
  const [row] = await runtime().db.query<{ reference: string }>(
    { text: 'SELECT our_reference AS reference FROM instrument WHERE bill_id = $1' },
    [billId],
  );
  return row?.reference ?? '';
}

import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { InstrumentRequest } from '@/lib/providers/port/instrument';
import { createSelcomAdapter } from '@/lib/providers/selcom/adapter';
import { startSelcomSimulator } from '@/lib/providers/selcom/simulator';
import { testReceiver } from '@/testing/fakes/receiver';
import { accountOf, clock, newPrompt, random } from '@/testing/providers/samples';

// What drivers of a whole system do over HTTP with a simulator that issues instruments.
const receiver = testReceiver();
const { instruments } = createSelcomAdapter({ clock });
let simulator: Awaited<ReturnType<typeof startSelcomSimulator>>;

beforeAll(async () => {
  simulator = await startSelcomSimulator({ clock, random });
});
afterAll(() => simulator.stop());

/** Issues an instrument. Returns null if the answer was lost. */
async function issue() {
  const account = accountOf('selcom', simulator.credentials, { callbackUrl: receiver.url('/callback') });
  const { reference } = newPrompt();
  const request: InstrumentRequest = {
    reference,
    kind: 'order',
    providerReference: null,
    number: null,
    amount: 500_000n,
    description: 'Bill',
  };
  const answer = await instruments?.send(account, request, new AbortController().signal);
  const outcome = answer && instruments?.readAnswer(answer, request);
  const ways = outcome?.kind === 'issued' ? outcome.ways : { number: null, qr: null, link: null };
  return { reference, kind: outcome?.kind, number: ways.number ?? '', qr: ways.qr ?? '', link: ways.link ?? '' };
}

const post = (path: string, body: object) => fetch(`${simulator.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
const pay = async (body: object) => {
  const answer = await post('/control/pay', body);
  return { status: answer.status, body: await answer.json() };
};
const callbacksAbout = (reference: string) => receiver.received.filter(({ body }) => body.toString().includes(reference)).length;

const bookSchema = z.object({
  instruments: z.array(
    z.object({ reference: z.string(), payments: z.array(z.object({ receipt: z.string(), amount: z.int(), mobile: z.string() })) }),
  ),
});
const book = async (reference: string) => {
  const shown = bookSchema.parse(await (await fetch(`${simulator.url}/control`)).json());
  return shown.instruments.filter((instrument) => instrument.reference === reference);
};

test.each(['number', 'qr', 'link'] as const)('a customer pays by the %s once, and the book shows it', async (way) => {
  const issued = await issue();
  const { status, body } = await pay({ [way]: issued[way], mobile: '255712345678' });
  expect([status, body]).toMatchObject([200, { reference: issued.reference, amount: 5_000, mobile: '255712345678' }]);
  expect(await pay({ [way]: issued[way] })).toMatchObject({ status: 409 });
  const payments = [{ receipt: body.receipt, amount: 5_000, mobile: '255712345678' }];
  expect(await book(issued.reference)).toEqual([{ reference: issued.reference, payments }]);
  await expect.poll(() => callbacksAbout(issued.reference)).toBe(1);
});

test('callbacks are lost or doubled, and payments under way are taken', async () => {
  const { reference, number } = await issue();
  await pay({ number, callback: false });
  await pay({ number, callback: 'twice', underWay: true, amount: 4_000 });
  await expect.poll(() => callbacksAbout(reference)).toBe(2);
  const [shown] = await book(reference);
  expect(shown?.payments.map(({ amount }) => amount)).toEqual([5_000, 4_000]);
  expect(new Set(shown?.payments.map(({ receipt }) => receipt)).size).toBe(2);
});

test('the next requests fail as ordered, one each', async () => {
  await post('/control', { failInstruments: ['refused', 'unrecorded', 'unanswered'] });
  const results = [await issue(), await issue(), await issue(), await issue()];
  expect(results.map(({ kind }) => kind)).toEqual(['refused', 'unknown', 'unknown', 'issued']);
  const recorded = await Promise.all(results.map(({ reference }) => book(reference)));
  expect(recorded.map(({ length }) => length)).toEqual([0, 0, 1, 1]);
});

test.each([
  ['an unknown number', { number: '00000000' }, 409],
  ['no way', {}, 400],
  ['two ways', { number: '1', qr: '2' }, 400],
  ['a bad amount', { number: '1', amount: 0 }, 400],
  ['a number in another form', { number: '1', mobile: '0712345678' }, 400],
])('a payment with %s is refused', async (_name, body, status) => {
  expect(await pay(body)).toMatchObject({ status, body: { problems: [expect.any(String)] } });
});

test('a payment is a POST request', async () => {
  expect((await fetch(`${simulator.url}/control/pay`)).status).toBe(405);
});

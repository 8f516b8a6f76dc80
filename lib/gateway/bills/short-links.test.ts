import { expect, test } from 'vitest';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { findBillByLink } from './linked-bill';
import { findLinkedBill, makeShortLink } from './short-links';

const runtime = testRuntime();

async function newBill() {
  const billId = await makeBill(runtime(), await makeMerchant(runtime()));
  const bill = await findBillByLink(runtime().db, 'sandbox', billId);
  if (!bill) throw new Error('the bill is missing');
  return bill;
}

const countLinks = async () => (await runtime().db.query<{ n: number }>({ text: 'SELECT count(*)::int AS n FROM bill_link' }))[0]?.n;

test('a bill gets one link, also if several pages show it for the first time', async () => {
  const bill = await newBill();
  // Creating a bill stores no link.
  expect(await countLinks()).toBe(0);
  const links = await Promise.all(Array.from({ length: 5 }, () => makeShortLink(runtime(), bill)));
  expect(new Set(links).size).toBe(1);
  expect(await makeShortLink(runtime(), bill)).toBe(links[0]);
  expect(await countLinks()).toBe(1);
  const { origin } = runtime().settings.SANDBOX_BASE_URL;
  expect(links[0]).toMatch(new RegExp(`^${origin}/p/[0-9A-HJKMNP-TV-Z]{12}$`));
});

test('a code leads to its bill as it is opened or typed, but only in its own environment', async () => {
  const [bill, other] = [await newBill(), await newBill()];
  const code = (await makeShortLink(runtime(), bill)).slice(-12);
  await makeShortLink(runtime(), other);
  for (const typed of [code, code.toLowerCase(), `${code.slice(0, 4)}-${code.slice(4)}`])
    expect(await findLinkedBill(runtime(), 'sandbox', typed)).toBe(bill.id);
  expect(await findLinkedBill(runtime(), 'live', code)).toBeUndefined();
  for (const typed of ['', 'FAKEFAKEFAKE', code.slice(1), `${code}0`, 'x'.repeat(10_000), '\0'])
    expect(await findLinkedBill(runtime(), 'sandbox', typed)).toBeUndefined();
});

test('a code that another bill has is not used', async () => {
  const [bill, other] = [await newBill(), await newBill()];
  const taken = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  const draws = [taken, Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 1)];
  const first = await makeShortLink({ ...runtime(), random: () => taken }, bill);
  const second = await makeShortLink({ ...runtime(), random: () => draws.shift() ?? taken }, other);
  expect(second).not.toBe(first);
  expect(draws).toEqual([]);
  await expect(makeShortLink({ ...runtime(), random: () => taken }, await newBill())).rejects.toThrow('no free code');
});

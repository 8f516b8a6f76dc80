import { describe, expect, test } from 'vitest';
import { accountOf, answer, PROMPT, REFUND } from '@/testing/providers/samples';
import { testRuntime } from '@/testing/runtime';
import { labelOf, PROVIDERS } from './registry';

const runtime = testRuntime();

function adapterOf(name: string) {
  const adapter = runtime().providers.find(name);
  if (!adapter) throw new Error(`there is no adapter ${name}`);
  return adapter;
}

test.each(PROVIDERS)('the adapter of $name has the name and the capabilities of its manifest', ({ name, capabilities }) => {
  expect(adapterOf(name)).toMatchObject({ name, capabilities });
});

test('an account at a provider that this version does not know is shown with its name', () => {
  expect(PROVIDERS.map(({ name }) => labelOf(name))).toEqual(PROVIDERS.map(({ label }) => label));
  expect(labelOf('gone')).toBe('gone');
});

test('every provider has another name', () => {
  expect(new Set(['sandbox', ...PROVIDERS.map(({ name }) => name)]).size).toBe(PROVIDERS.length + 1);
});

describe('a text that cannot be stored is not a reference', () => {
  const BAD = ['\u0000', 'a b', 'a\u0000', 'ä', 'x'.repeat(101)];
  test.each(PROVIDERS)('in a callback: $name', ({ name, callback }) => {
    const read = (text: string) =>
      adapterOf(name).readCallback(accountOf(name, {}), answer(200, JSON.stringify(callback.body(text, text))));
    for (const text of BAD) expect(read(text), JSON.stringify(text)).toMatchObject({ reference: null, providerReference: null });
    expect([read('GOOD').reference, read('GOOD').providerReference]).toContainEqual(expect.stringContaining('GOOD'));
  });

  test('in an answer: without a usable receipt number, a payment decides nothing', () => {
    const snippe = adapterOf('snippe');
    const prompt = { ...PROMPT, providerReference: 'a b' };
    const data = { reference: 'a b', status: 'completed', amount: { value: 5_000, currency: 'TZS' } };
    const received = answer(200, { status: 'success', data });
    expect(snippe.readStatus(received, prompt)).toEqual({ kind: 'unknown' });
    expect(snippe.readAnswer(received, prompt)).toEqual({ kind: 'accepted', providerReference: null });
  });

  test('in an answer about a payout: an unusable id or receipt number is left out', () => {
    const { payouts } = adapterOf('selcom');
    const received = (resultcode: string, result: string) => answer(200, { resultcode, result, reference: 'a b' });
    expect(payouts?.readAnswer(received('111', 'PENDING'), REFUND)).toEqual({ kind: 'pending', providerReference: null });
    expect(payouts?.readStatus(received('000', 'SUCCESS'), REFUND)).toEqual({ kind: 'refunded', transactionId: null, amount: null });
  });

  const instrument = { ...PROMPT, reference: 'A'.repeat(20), providerReference: 'R1', kind: 'dynamic_qr', number: null };
  const issued = (change: object) => {
    const data = { reference: 'R1', status: 'pending', amount: { value: 5_000, currency: 'TZS' }, payment_token: '80001234', ...change };
    return answer(200, { status: 'success', data });
  };

  test.each([
    ['the id', { reference: 'a b' }, { providerReference: null, ways: { number: '80001234' } }],
    ['the text of a code', { payment_qr_code: 'a\u0000' }, { ways: { number: '80001234', qr: null } }],
    ['a text that is too long for a code', { payment_qr_code: 'x'.repeat(513) }, { ways: { number: '80001234', qr: null } }],
    ['the number', { payment_token: '80001234\n', payment_qr_code: 'CODE' }, { ways: { number: null, qr: 'CODE' } }],
  ])('in an answer with an instrument, an unusable part is left out: %s', (_name, change, outcome) => {
    const { instruments } = adapterOf('snippe');
    const asked = { ...instrument, providerReference: null };
    expect(instruments?.readAnswer(issued(change), asked)).toMatchObject({ kind: 'issued', ...outcome });
    expect(instruments?.readStatus(issued(change), asked)).toMatchObject({ kind: 'open', issued: outcome });
  });

  test('in an answer with an instrument: if nothing can be used, or if a receipt number is unusable, it decides nothing', () => {
    const { instruments } = adapterOf('snippe');
    const useless = issued({ payment_token: null, payment_qr_code: '\u0000' });
    expect(instruments?.readAnswer(useless, instrument)).toEqual({ kind: 'unknown' });
    expect(instruments?.readStatus(useless, instrument)).toEqual({ kind: 'unknown' });
    const paid = issued({ reference: 'a b', status: 'completed' });
    expect(instruments?.readStatus(paid, { ...instrument, providerReference: 'a b' })).toEqual({ kind: 'unknown' });
    expect(instruments?.readStatus(issued({ status: 'completed' }), instrument)).toMatchObject({
      kind: 'ended',
      payments: [{ kind: 'paid' }],
    });
  });

  test('and an amount or fee that cannot be true is none', () => {
    const snippe = adapterOf('snippe');
    const prompt = { ...PROMPT, providerReference: 'R1' };
    const status = (value: number, fees: number) =>
      snippe.readStatus(
        answer(200, {
          status: 'success',
          data: {
            reference: 'R1',
            status: 'completed',
            amount: { value, currency: 'TZS' },
            settlement: { fees: { value: fees, currency: 'TZS' } },
          },
        }),
        prompt,
      );
    expect(status(5_000, 25.5)).toEqual({ kind: 'paid', transactionId: 'R1', amount: 500_000n, fee: 2_550n });
    for (const fee of [1e308, -1, 5_001, Number.MAX_VALUE]) expect(status(5_000, fee)).not.toHaveProperty('fee');
    for (const value of [1e15, 1e308, 0, -5_000, 0.5]) expect(status(value, 0)).toEqual({ kind: 'unknown' });
  });
});

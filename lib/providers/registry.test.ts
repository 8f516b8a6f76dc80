import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { accountOf, answer, PROMPT } from '@/lib/testing/providers/samples';
import { testRuntime } from '@/lib/testing/runtime';
import type { Capabilities } from './port/port';
import { CREDENTIAL_FIELDS } from './registry';

const runtime = testRuntime();

function adapterOf(name: string) {
  const adapter = runtime().providers.find(name);
  if (!adapter) throw new Error(`there is no adapter ${name}`);
  return adapter;
}

// A wrong value here sends a second prompt, or asks a provider too early or too often. Sources: the documents that each adapter names.
describe('the timing and the guarantees of a provider', () => {
  type Pinned = Pick<
    Capabilities,
    | 'refusesDuplicates'
    | 'queriedBy'
    | 'repeatsAnswerMs'
    | 'signsCallbacks'
    | 'indexingMs'
    | 'firstQueryMs'
    | 'unknownQueryMs'
    | 'maxQueryMs'
    | 'retryMs'
    | 'giveUpMs'
    | 'promptMs'
    | 'networks'
    | 'minAmount'
    | 'maxAmount'
  >;
  const usual = {
    queriedBy: 'reference',
    repeatsAnswerMs: 0,
    indexingMs: MINUTE_MS,
    maxQueryMs: HOUR_MS,
    retryMs: 5 * SECOND_MS,
    giveUpMs: 2 * MINUTE_MS,
    promptMs: 3 * MINUTE_MS,
    networks: ['vodacom', 'yas', 'airtel', 'halotel'],
    minAmount: 10_000n,
    maxAmount: 1_000_000_000n,
  } as const;
  const paced = (firstQueryMs: number, unknownQueryMs = firstQueryMs) => ({ firstQueryMs, unknownQueryMs });
  const PINNED: Readonly<Record<string, Pinned>> = {
    mpesa: { ...usual, ...paced(20_000, 15_000), refusesDuplicates: false, signsCallbacks: false, networks: ['vodacom'] },
    snippe: {
      ...usual,
      ...paced(15_000),
      refusesDuplicates: true,
      signsCallbacks: true,
      queriedBy: 'providerReference',
      repeatsAnswerMs: 24 * HOUR_MS,
      indexingMs: 30_000,
      minAmount: 50_000n,
    },
    clickpesa: { ...usual, ...paced(15_000), refusesDuplicates: true, signsCallbacks: true },
    mixx: { ...usual, ...paced(MINUTE_MS), refusesDuplicates: false, signsCallbacks: false, networks: ['yas'] },
    pawapay: { ...usual, ...paced(10_000), refusesDuplicates: true, signsCallbacks: true },
    azampay: {
      ...usual,
      ...paced(30_000, MINUTE_MS),
      refusesDuplicates: false,
      signsCallbacks: false,
      queriedBy: 'providerReference',
      maxAmount: 500_000_000n,
    },
    airtel: {
      ...usual,
      ...paced(3 * MINUTE_MS),
      refusesDuplicates: true,
      signsCallbacks: false,
      indexingMs: 5 * MINUTE_MS,
      networks: ['airtel'],
    },
    selcom: {
      ...usual,
      ...paced(3 * MINUTE_MS),
      refusesDuplicates: true,
      signsCallbacks: false,
      indexingMs: 3 * MINUTE_MS,
      promptMs: 5 * MINUTE_MS,
      networks: ['vodacom', 'yas', 'airtel', 'halotel', 'ttcl'],
    },
  };

  test.each(Object.keys(CREDENTIAL_FIELDS))('are those of its documents: %s', (name) => {
    expect(adapterOf(name).capabilities).toEqual(PINNED[name]);
  });
});

describe('a text that cannot be stored is not a reference', () => {
  const BAD = ['\u0000', 'a b', 'a\u0000', 'ä', 'x'.repeat(101)];
  const CALLBACKS: Readonly<Record<string, (text: string) => object>> = {
    mpesa: (text) => ({ input_ThirdPartyConversationID: text, input_OriginalConversationID: text, input_ResultCode: 'INS-0' }),
    snippe: (text) => ({
      id: 'e',
      type: 'payment.completed',
      data: { reference: text, status: 'completed', metadata: { reference: text } },
    }),
    clickpesa: (text) => ({ event: 'PAYMENT RECEIVED', data: { id: text, status: 'SUCCESS', orderReference: text } }),
    mixx: (text) => ({ Status: true, ReferenceID: `BILI${text}` }),
    pawapay: (text) => ({ depositId: text, status: 'COMPLETED', clientReferenceId: text }),
    azampay: (text) => ({ utilityref: text, transid: text, transactionstatus: 'success' }),
    airtel: (text) => ({ transaction: { id: text, status_code: 'TS' } }),
    selcom: (text) => ({ order_id: text, payment_status: 'COMPLETED', result: 'SUCCESS' }),
  };

  test.each(Object.keys(CREDENTIAL_FIELDS))('in a callback: %s', (name) => {
    const read = (text: string) =>
      adapterOf(name).readCallback(accountOf(name, {}), answer(200, JSON.stringify(CALLBACKS[name]?.(text) ?? {})));
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

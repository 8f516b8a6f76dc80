import { describe, expect, test, vi } from 'vitest';
import type { PromptRequest, Refund } from '@/lib/providers/port/port';
import { type Harness, newReference, SETTLES_MS } from './contract';

/**
 * Declares the tests of reversals, over HTTP against the simulator of a provider. The last three digits of the payer's number choose what
 * happens: see `lib/providers/kit/payouts.ts`. @param payer a number whose payments succeed.
 */
export function describeReversals(name: string, payer: string, harness: () => Harness): void {
  const signal = () => new AbortController().signal;

  /** Makes a payment, and returns the calls of its reversal. */
  async function reversalOf(digits: string) {
    const one = harness();
    const { adapter, account, network = 'vodacom' } = one;
    const { reversals } = adapter;
    if (!reversals) return null;
    const mobile = `${payer.slice(0, -3)}${digits}`;
    const prompt: PromptRequest = {
      reference: newReference(),
      providerReference: null,
      mobile,
      network,
      amount: 500_100n,
      description: 'Bill',
    };
    await adapter.send(account, prompt, signal());
    const outcomeOf = async () => adapter.readStatus(await adapter.query(account, prompt, signal()), prompt);
    let paid = await outcomeOf();
    await vi.waitUntil(
      async () => {
        paid = await outcomeOf();
        if (paid.kind !== 'paid') await one.tick();
        return paid.kind === 'paid';
      },
      { timeout: SETTLES_MS, interval: 10 },
    );
    if (paid.kind !== 'paid') throw new Error('the prompt was not paid');
    const { transactionId, amount } = paid;
    const refund: Refund = {
      reference: newReference(),
      providerReference: null,
      transactionId,
      promptReference: prompt.reference,
      mobile,
      network,
      amount,
    };
    const send = async () => reversals.readAnswer(await reversals.send(account, refund, signal()), refund);
    const query = async () => reversals.readStatus(await reversals.query(account, refund, signal()), refund);
    const queryUntil = async (kind: 'refunded' | 'failed') => {
      await vi.waitUntil(
        async () => {
          if ((await query()).kind === kind) return true;
          await one.tick();
          return false;
        },
        { timeout: SETTLES_MS, interval: 10 },
      );
      return query();
    };
    return { send, query, queryUntil };
  }

  const noReversals = () => expect(harness().adapter.reversals).toBeNull();

  describe(`reversals of ${name}`, () => {
    test.each([
      ['later, and only a status query shows it', '007', ['pending', 'unknown']],
      ['and the provider reports it twice', '008', ['refunded', 'pending']],
      ['but the answer is lost', '010', ['unknown']],
    ])('the money moves, %s', async (_name, digits, answers) => {
      const reversal = await reversalOf(digits);
      if (!reversal) return noReversals();
      expect(answers).toContain((await reversal.send()).kind);
      const found = await reversal.queryUntil('refunded');
      expect(await reversal.query()).toEqual(found);
      expect((await reversal.send()).kind).not.toBe('not_sent');
      expect(await reversal.query()).toEqual(found);
    });

    test('a refused reversal fails, and the payment stays', async () => {
      const reversal = await reversalOf('009');
      if (!reversal) return noReversals();
      expect(await reversal.send()).toMatchObject({ kind: 'failed' });
      expect(await reversal.query()).toEqual({ kind: 'pending' });
    });

    test.each([
      ['after a lost answer', '011', ['unknown']],
      ['in progress', '012', ['pending', 'unknown']],
    ])('a reversal stays unsettled %s', async (_name, digits, answers) => {
      const reversal = await reversalOf(digits);
      if (!reversal) return noReversals();
      expect(answers).toContain((await reversal.send()).kind);
      expect(await reversal.query()).toEqual({ kind: 'pending' });
    });
  });
}

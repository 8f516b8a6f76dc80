import { describe, expect, test, vi } from 'vitest';
import { SENTI_PER_SHILLING } from '@/lib/platform/core/money';
import { SCENARIO_AMOUNT } from '@/lib/providers/kit/scenarios';
import type { ProviderAdapter, RawAnswer, Refund, RefundOutcome } from '@/lib/providers/port/port';
import { bytes, type Harness, NONSENSE, newReference, SETTLES_MS } from './contract';

type Payouts = NonNullable<ProviderAdapter['payouts']>;

/**
 * Declares the tests of payouts, over HTTP against the simulator of a provider. The last three digits of the payee's number choose what
 * happens: see `lib/providers/kit/payouts.ts`.
 */
export function describePayouts(name: string, harness: () => Harness): void {
  const signal = () => new AbortController().signal;

  /** Returns the calls of one payout: what the product does with it. */
  function payoutTo(digits: string, one: Harness = harness()) {
    const { adapter, account, network } = one;
    const { payouts } = adapter;
    if (!payouts) return null;
    let refund = refundTo(digits, network);
    const { reference } = refund;
    const learn = (providerReference: string | null | undefined) => {
      if (providerReference) refund = { ...refund, providerReference };
    };
    const send = async (): Promise<RefundOutcome> => {
      const outcome = payouts.readAnswer(await payouts.send(account, refund, signal()), refund);
      if (outcome.kind === 'pending') learn(outcome.providerReference);
      return outcome;
    };
    const query = async () => payouts.readStatus(await payouts.query(account, refund, signal()), refund);
    const queryUntil = async (kind: RefundOutcome['kind']) => {
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
    /** Waits for the callbacks about this payout, and returns what they say. */
    const callbacks = async (count: number) => {
      const read = () =>
        one
          .callbacks()
          .map((callback) => adapter.readCallback(account, callback))
          .filter((callback) => callback.reference === reference);
      await vi.waitUntil(() => read().length >= count, { timeout: SETTLES_MS, interval: 10 });
      return read();
    };
    /** The payouts with our reference that the simulator has accepted. */
    const made = async () => (await one.payouts()).filter((payout) => payout.reference === reference);
    return { send, query, queryUntil, callbacks, made, learn };
  }

  /** Whether a payout can be queried if the answer to its request was lost. */
  const isQueriedByOurs = () => harness().adapter.capabilities.queriedBy === 'reference';
  const announced = (count: number) => (harness().announcesPayouts ? count : 0);
  const noPayouts = () => expect(harness().adapter.payouts).toBeNull();

  describe(`payouts of ${name}`, () => {
    test('a payout is paid once, and each status query shows it', async () => {
      const payout = payoutTo('001');
      if (!payout) return noPayouts();
      expect(['refunded', 'pending']).toContain((await payout.send()).kind);
      const found = await payout.queryUntil('refunded');
      expect(found).toMatchObject({ amount: expect.toBeOneOf([SCENARIO_AMOUNT, null]) });
      expect(await payout.query()).toEqual(found);
      expect(await payout.made()).toMatchObject([{ amount: Number(SCENARIO_AMOUNT / SENTI_PER_SHILLING) }]);
    });

    test('a second request with the same reference pays nothing, and is no failure', async () => {
      const payout = payoutTo('001');
      if (!payout) return noPayouts();
      await payout.send();
      const found = await payout.queryUntil('refunded');
      expect(['refunded', 'pending', 'unknown']).toContain((await payout.send()).kind);
      expect(await payout.query()).toEqual(found);
      expect(await payout.made()).toHaveLength(1);
    });

    test('an accepted payout without a callback is found by a status query', async () => {
      const payout = payoutTo('007');
      if (!payout) return noPayouts();
      expect(await payout.send()).toMatchObject({ kind: 'pending' });
      expect(await payout.queryUntil('refunded')).toMatchObject({ kind: 'refunded' });
      expect(await payout.made()).toHaveLength(1);
    });

    test('callbacks about a payout name our reference and have no outcome, so that they settle no payment', async () => {
      const payout = payoutTo('008');
      if (!payout) return noPayouts();
      await payout.send();
      expect(await payout.queryUntil('refunded')).toMatchObject({ kind: 'refunded' });
      const received = await payout.callbacks(announced(2));
      expect(received.map(({ outcome }) => outcome)).toEqual(Array.from({ length: announced(2) }, () => null));
      expect(await payout.made()).toHaveLength(1);
    });

    test('a refused payout fails, and pays nothing', async () => {
      const payout = payoutTo('009');
      if (!payout) return noPayouts();
      expect(await payout.send()).toMatchObject({ kind: 'failed' });
      expect(await payout.made()).toEqual([]);
    });

    test('if the answer is lost and the money moved, the result is unknown until the provider can be asked', async () => {
      const payout = payoutTo('010');
      if (!payout) return noPayouts();
      expect(await payout.send()).toEqual({ kind: 'unknown' });
      expect(await payout.made()).toHaveLength(1);
      if (!isQueriedByOurs()) {
        expect(await payout.query()).toEqual({ kind: 'unknown' });
        const [callback] = await payout.callbacks(announced(1));
        // Without a callback, a person has to settle the refund.
        if (!callback) return;
        payout.learn(callback.providerReference);
      }
      expect(await payout.queryUntil('refunded')).toMatchObject({ kind: 'refunded' });
    });

    test('if the answer is lost and no money moved, neither the answer nor a status query decides anything', async () => {
      const payout = payoutTo('011');
      if (!payout) return noPayouts();
      expect(await payout.send()).toEqual({ kind: 'unknown' });
      expect(await payout.made()).toEqual([]);
      expect(['unknown', 'pending']).toContain((await payout.query()).kind);
    });

    test('a payout in progress stays pending', async () => {
      const payout = payoutTo('012');
      if (!payout) return noPayouts();
      expect(await payout.send()).toMatchObject({ kind: 'pending' });
      expect(await payout.query()).toMatchObject({ kind: 'pending' });
    });

    test('an accepted payout that fails is found by a status query', async () => {
      const payout = payoutTo('023');
      if (!payout) return noPayouts();
      expect(await payout.send()).toMatchObject({ kind: 'pending' });
      expect(await payout.queryUntil('failed')).toMatchObject({ kind: 'failed' });
    });

    test('the provider gets the requested amount and number', async () => {
      const { adapter, recorded, network } = harness();
      if (!adapter.payouts) return noPayouts();
      if (!recorded) return expect(adapter.simulatesFailures).toBe(true);
      const refund = { ...refundTo('001', network), amount: 567_800n };
      await adapter.payouts.send(recorded.account, refund, signal());
      const body = recorded.bodies().findLast((text) => text.includes(refund.reference)) ?? '';
      expect([...body.matchAll(/"\w*amount":"?([\d.]+)/gi)].map(([, amount]) => Number(amount))).toEqual([5_678]);
      expect(body).toContain('754000001');
    });

    test('a lost answer is not_sent or unknown, as the call reports', async () => {
      const { adapter, unreachable } = harness();
      const { payouts } = adapter;
      if (!payouts) return noPayouts();
      const refund = { ...refundTo('001'), providerReference: newReference() };
      for (const lost of ['not_sent', 'unknown'] as const) {
        const answer: RawAnswer = { status: null, headers: {}, body: bytes(''), lost, error: 'gone' };
        expect(payouts.readAnswer(answer, refund)).toEqual({ kind: lost });
        expect(payouts.readStatus(answer, refund)).toEqual({ kind: 'unknown' });
      }
      const there = unreachable.adapter.payouts ?? payouts;
      expect(payouts.readAnswer(await there.send(unreachable.account, refund, signal()), refund)).toEqual({ kind: 'not_sent' });
      expect(payouts.readStatus(await there.query(unreachable.account, refund, signal()), refund)).toEqual({ kind: 'unknown' });
    });

    test.each(NONSENSE)('the answer %j decides nothing about a payout', (text) => {
      const { payouts } = harness().adapter;
      if (!payouts) return noPayouts();
      const refund = { ...refundTo('001'), providerReference: newReference() };
      const answered = (status: number): RawAnswer => ({ status, headers: {}, body: bytes(text), lost: null, error: null });
      for (const status of [200, 201, 301, 400, 404, 408, 409, 422, 500, 502, 503, 504]) {
        expect(payouts.readAnswer(answered(status), refund), String(status)).toEqual({ kind: 'unknown' });
        expect(payouts.readStatus(answered(status), refund), String(status)).toEqual({ kind: 'unknown' });
      }
      // These statuses alone can be a refusal of the request. A refused status query says nothing.
      for (const status of [401, 403, 429]) {
        expect(['refunded', 'pending']).not.toContain(payouts.readAnswer(answered(status), refund).kind);
        expect(payouts.readStatus(answered(status), refund), String(status)).toEqual({ kind: 'unknown' });
      }
    });

    test('payouts have limits and networks, and need credentials', () => {
      const { adapter, account } = harness();
      const { payouts } = adapter;
      if (!payouts) return noPayouts();
      expect(payouts.minAmount % SENTI_PER_SHILLING).toBe(0n);
      expect(payouts.maxAmount).toBeGreaterThan(payouts.minAmount);
      expect(adapter.capabilities.networks).toEqual(expect.arrayContaining([...payouts.networks]));
      expect(payouts.offeredBy(account.credentials)).toBe(true);
      // The provider that Bili simulates has no credentials.
      if (adapter.simulatesFailures) return;
      expect([null, '', '{}'].map((credentials) => payouts.offeredBy(credentials))).toEqual([false, false, false]);
    });
  });
}

/**
 * Declares the test that pins the limits of a provider's payouts. Sources: the documents that each adapter names.
 * @param limits what is documented; the largest amount only if there is one.
 */
export function pinPayouts(
  name: string,
  { payouts }: ProviderAdapter,
  limits: Pick<Payouts, 'minAmount' | 'networks'> & Partial<Pick<Payouts, 'maxAmount'>>,
): void {
  test(`the limits of the payouts of ${name} are those of its documents`, () => {
    expect(payouts).toMatchObject({ maxAmount: 1_000_000_000n, ...limits });
  });
}

function refundTo(digits: string, network: Refund['network'] = 'vodacom'): Refund {
  return {
    reference: newReference(),
    providerReference: null,
    transactionId: newReference(),
    promptReference: newReference(),
    mobile: `0754000${digits}`,
    network,
    amount: SCENARIO_AMOUNT,
  };
}

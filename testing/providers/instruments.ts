import { describe, expect, test, vi } from 'vitest';
import { checkQr } from '@/lib/platform/core/emv';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/platform/core/money';
import type { CustomerPayment, InstrumentPayment, IssueFailure } from '@/lib/providers/kit/instruments';
import { SCENARIO_AMOUNT } from '@/lib/providers/kit/scenarios';
import {
  INSTRUMENT_WAYS,
  type InstrumentOffer,
  type InstrumentRequest,
  type InstrumentStatus,
  type IssuedWays,
  type IssueOutcome,
} from '@/lib/providers/port/instrument';
import type { RawAnswer } from '@/lib/providers/port/port';
import { bytes, type Harness, NONSENSE, newReference, SETTLES_MS } from './contract';

/** What a test does at the simulator of a provider that issues instruments. */
export interface InstrumentControl {
  /** Decides about the next request for an instrument. Null if the simulator always answers. */
  readonly failNext: ((failure: IssueFailure) => void | Promise<void>) | null;
  /** Lets a customer pay. Returns null if the wallet refuses the payment. */
  pay(payment: CustomerPayment): PaidInstrument | null | Promise<PaidInstrument | null>;
  /** Returns how many instruments with our reference the simulator has issued. */
  issued(reference: string): number | Promise<number>;
}
type PaidInstrument = Pick<InstrumentPayment, 'receipt' | 'amount'>;

const AMOUNT = Number(toWholeShillings(SCENARIO_AMOUNT));
const STATUSES = [200, 201, 301, 400, 404, 408, 409, 422, 500, 502, 503, 504];

/**
 * Declares the tests of payment instruments, over HTTP against the simulator of a provider. Each test tries all offers of the account. The
 * adapter of a provider without instruments has none.
 */
export function describeInstruments(name: string, harness: () => Harness): void {
  const signal = () => new AbortController().signal;

  /** Returns the calls of one instrument: what the product does with it. */
  function instrumentOf({ kind }: InstrumentOffer, one: Harness = harness()) {
    const { adapter, account, instruments: simulator } = one;
    const { instruments } = adapter;
    if (!instruments || !simulator) throw new Error(`the contract tests of ${name} cannot pay an instrument`);
    let request = requestOf(kind);
    let ways: IssuedWays = { number: null, qr: null, link: null };
    const { reference } = request;
    const learn = (issued: Extract<IssueOutcome, { kind: 'issued' }>) => {
      ways = issued.ways;
      request = { ...request, providerReference: issued.providerReference, number: ways.number };
    };
    const send = async (): Promise<IssueOutcome> => {
      const outcome = instruments.readAnswer(await instruments.send(account, request, signal()), request);
      if (outcome.kind === 'issued') learn(outcome);
      return outcome;
    };
    const query = async (): Promise<InstrumentStatus> => {
      const status = instruments.readStatus(await instruments.query(account, request, signal()), request);
      if (status.kind === 'open' && status.issued) learn(status.issued);
      return status;
    };
    /** Queries until the answer shows this many payments. */
    const queryPaid = async (count: number) => {
      const find = async () => {
        const status = await query();
        return 'payments' in status && status.payments.length >= count ? status : null;
      };
      await vi.waitUntil(
        async () => {
          if (await find()) return true;
          await one.tick();
          return false;
        },
        { timeout: SETTLES_MS, interval: 10 },
      );
      return find();
    };
    const pay = async (payment: Pick<CustomerPayment, 'amount' | 'callback' | 'underWay'> = {}) => {
      const way = INSTRUMENT_WAYS.find((one) => ways[one] !== null) ?? 'number';
      return simulator.pay({ callback: false, ...payment, [way]: ways[way] ?? '' });
    };
    const change = async (which: 'cancel' | 'changeAmount', to = request.amount) => {
      const asked = { ...request, amount: to };
      const answer = await instruments[which]?.send(account, asked, signal());
      return answer && instruments[which]?.readAnswer(answer);
    };
    /** Waits for the callbacks about this instrument, and returns what they say. */
    const callbacks = async (count: number) => {
      const read = () =>
        one
          .callbacks()
          .map((callback) => adapter.readCallback(account, callback))
          .filter(
            ({ reference: named, providerReference = null }) =>
              named === reference ||
              (named !== null && named === ways.number) ||
              (providerReference !== null && providerReference === request.providerReference),
          );
      await vi.waitUntil(
        async () => {
          await one.tick();
          return read().length >= count;
        },
        { timeout: SETTLES_MS, interval: 10 },
      );
      return read();
    };
    const failNext = async (failure: IssueFailure) => simulator.failNext?.(failure);
    const issued = async () => simulator.issued(reference);
    return { send, query, queryPaid, pay, change, callbacks, failNext, issued, canFail: simulator.failNext !== null };
  }

  /** Declares a test that runs once for each offer. */
  function testOffers(title: string, run: (offer: InstrumentOffer) => Promise<void>): void {
    test(title, async () => {
      const { instruments } = harness().adapter;
      if (!instruments) return expect(instruments).toBeNull();
      const { credentials } = harness().account;
      const offered = instruments.offers.filter(({ kind }) => instruments.offeredBy(credentials, kind));
      expect(offered.length).toBeGreaterThan(0);
      for (const offer of offered) await run(offer);
    });
  }
  const paidOf = ({ receipt, amount }: PaidInstrument) => ({
    kind: 'paid',
    transactionId: receipt,
    amount: BigInt(amount) * SENTI_PER_SHILLING,
  });

  describe(`instruments of ${name}`, () => {
    testOffers('an instrument is issued once, has the ways of its offer, and a status query shows it', async (offer) => {
      const one = instrumentOf(offer);
      const issued = await one.send();
      if (issued.kind !== 'issued') throw new Error(`the instrument was not issued: ${issued.kind}`);
      const { ways, expiresAt } = issued;
      expect(INSTRUMENT_WAYS.filter((way) => ways[way] !== null)).toEqual(INSTRUMENT_WAYS.filter((way) => offer.ways.includes(way)));
      expect(ways.number ?? '0000').toMatch(/^\d{4,20}$/);
      expect(ways.link ?? 'https://').toMatch(/^https:/);
      if (ways.qr !== null) expect(checkQr(ways.qr, SCENARIO_AMOUNT)).toBeNull();
      if (expiresAt) expect(expiresAt.getTime()).toBeGreaterThan(Date.now());
      const status = await one.query();
      expect(status).toMatchObject({ kind: 'open', payments: [] });
      if (status.kind === 'open' && status.issued) expect(status.issued.ways).toEqual(ways);
      expect(await one.issued()).toBe(1);
    });

    testOffers('a second request with the same reference issues nothing', async (offer) => {
      const one = instrumentOf(offer);
      const first = await one.send();
      const second = await one.send();
      expect(['issued', 'unknown']).toContain(second.kind);
      if (first.kind === 'issued' && second.kind === 'issued') expect(second.ways).toEqual(first.ways);
      expect(await one.issued()).toBe(1);
    });

    testOffers('a refused instrument is not issued', async (offer) => {
      const one = instrumentOf(offer);
      if (!one.canFail) return;
      await one.failNext('refused');
      expect(await one.send()).toMatchObject({ kind: 'refused' });
      expect(await one.issued()).toBe(0);
    });

    testOffers('if the answer is lost, the result is unknown, and a status query issues no second instrument', async (offer) => {
      for (const [failure, kinds] of [
        ['unanswered', ['open', 'unknown']],
        ['unrecorded', ['open', 'unknown', 'not_found']],
      ] as const) {
        const one = instrumentOf(offer);
        if (!one.canFail) return;
        await one.failNext(failure);
        expect(await one.send()).toEqual({ kind: 'unknown' });
        const status = await one.query();
        expect(kinds).toContain(status.kind);
        expect(await one.issued()).toBe(failure === 'unanswered' || status.kind === 'open' ? 1 : 0);
      }
    });

    testOffers('a payment is found by status queries with its receipt number and amount, and again the same', async (offer) => {
      const one = instrumentOf(offer);
      await one.send();
      const payment = await one.pay();
      if (!payment) throw new Error('the payment was refused');
      expect(payment.amount).toBe(AMOUNT);
      const found = await one.queryPaid(1);
      expect(found).toMatchObject({ payments: [paidOf(payment)] });
      expect(await one.query()).toEqual(found);
    });

    testOffers('two callbacks about a payment name the instrument, and say the same', async (offer) => {
      const one = instrumentOf(offer);
      await one.send();
      const payment = await one.pay({ callback: 'twice' });
      if (!payment) throw new Error('the payment was refused');
      const received = await one.callbacks(2);
      expect(received).toHaveLength(2);
      for (const callback of received)
        expect(callback).toMatchObject(callback.verified ? { outcome: paidOf(payment) } : { outcome: null, claimsPaid: true });
      expect(await one.queryPaid(1)).toMatchObject({ payments: [paidOf(payment)] });
    });

    testOffers('an exact instrument takes only its amount once; an open one takes every payment', async (offer) => {
      const one = instrumentOf(offer);
      await one.send();
      const other = await one.pay({ amount: AMOUNT - 1 });
      const whole = await one.pay();
      const again = await one.pay();
      if (offer.takes === 'exact') {
        expect([other, whole, again]).toEqual([null, expect.objectContaining({ amount: AMOUNT }), null]);
        expect(await one.queryPaid(1)).toMatchObject({ kind: 'ended' });
        return;
      }
      const payments = [other, whole, again].flatMap((payment) => payment ?? []);
      expect(payments.map(({ amount }) => amount)).toEqual([AMOUNT - 1, AMOUNT, AMOUNT]);
      const found = await one.queryPaid(3);
      expect(found).toMatchObject({
        kind: 'open',
        payments: expect.arrayContaining(payments.map((payment) => expect.objectContaining(paidOf(payment)))),
      });
    });

    testOffers('payments under way of another amount, or a second time, are found', async (offer) => {
      const one = instrumentOf(offer);
      await one.send();
      const payments = [await one.pay(), await one.pay({ underWay: true }), await one.pay({ amount: AMOUNT + 5, underWay: true })].flatMap(
        (payment) => payment ?? [],
      );
      // Some providers show one payment of an instrument at most.
      expect([1, 3]).toContain(payments.length);
      expect(new Set(payments.map(({ receipt }) => receipt)).size).toBe(payments.length);
      const found = await one.queryPaid(payments.length);
      expect(found?.payments).toHaveLength(payments.length);
      expect(found?.payments).toEqual(expect.arrayContaining(payments.map((payment) => expect.objectContaining(paidOf(payment)))));
      const another = instrumentOf(offer);
      await another.send();
      const first = await another.pay({ amount: AMOUNT + 5, underWay: true });
      if (!first) throw new Error('the payment was refused');
      expect(await another.queryPaid(1)).toMatchObject({ payments: [paidOf(first)] });
    });

    testOffers('a cancelled instrument cannot be paid, unless the payment was under way', async (offer) => {
      const { instruments } = harness().adapter;
      if (!instruments?.cancel) return expect(instruments?.cancel).toBeNull();
      const one = instrumentOf(offer);
      await one.send();
      expect([await one.change('cancel'), await one.change('cancel')]).toEqual(['done', 'done']);
      expect(await one.pay()).toBeNull();
      const kind = harness().showsEnds === false ? 'open' : 'ended';
      expect(await one.query()).toMatchObject({ kind, payments: [] });
      const late = await one.pay({ underWay: true });
      if (!late) throw new Error('the payment was refused');
      expect(await one.queryPaid(1)).toMatchObject({ payments: [paidOf(late)] });
    });

    testOffers('an instrument that was paid stays paid if it is cancelled', async (offer) => {
      const { instruments } = harness().adapter;
      if (!instruments?.cancel) return expect(instruments?.cancel).toBeNull();
      const one = instrumentOf(offer);
      await one.send();
      const payment = await one.pay();
      if (!payment) throw new Error('the payment was refused');
      expect(['done', 'refused']).toContain(await one.change('cancel'));
      expect(await one.queryPaid(1)).toMatchObject({ payments: [paidOf(payment)] });
    });

    testOffers('the amount of an open instrument changes, and its number stays', async (offer) => {
      const { instruments } = harness().adapter;
      if (!instruments?.changeAmount || offer.takes === 'exact') return expect(instruments?.changeAmount ?? offer.takes).toBeTruthy();
      const one = instrumentOf(offer);
      await one.send();
      const changed = (BigInt(AMOUNT) - 1_000n) * SENTI_PER_SHILLING;
      expect([await one.change('changeAmount', changed), await one.change('changeAmount', changed)]).toEqual(['done', 'done']);
      expect(await one.pay()).toMatchObject({ amount: AMOUNT - 1_000 });
      expect(await one.issued()).toBe(1);
    });

    testOffers('an instrument that was never requested is not found', async (offer) => {
      const { adapter, account } = harness();
      const { instruments } = adapter;
      const request = { ...requestOf(offer.kind), providerReference: newReference() };
      const answer = await instruments?.query(account, request, signal());
      expect(answer && instruments?.readStatus(answer, request)).toEqual({ kind: 'not_found' });
    });

    testOffers('the provider gets the requested amount', async (offer) => {
      const { adapter, recorded } = harness();
      if (!recorded) return expect(adapter.simulatesFailures).toBe(true);
      const request = { ...requestOf(offer.kind), amount: 567_800n };
      await adapter.instruments?.send(recorded.account, request, signal());
      const body = recorded.bodies().findLast((text) => text.includes(request.reference)) ?? '';
      expect([...body.matchAll(/"\w*amount":"?([\d.]+)/gi)].map(([, amount]) => Number(amount))).toEqual([5_678]);
    });

    testOffers('a lost answer is not_sent or unknown, as the call reports', async (offer) => {
      const { adapter, account, unreachable } = harness();
      const { instruments } = adapter;
      const there = unreachable.adapter.instruments;
      if (!instruments || !there) throw new Error(`${name} has no instruments`);
      const request = { ...requestOf(offer.kind), providerReference: newReference(), number: '99999999' };
      for (const lost of ['not_sent', 'unknown'] as const) {
        const answer: RawAnswer = { status: null, headers: {}, body: bytes(''), lost, error: 'gone' };
        expect(instruments.readAnswer(answer, request)).toEqual({ kind: lost });
        expect(instruments.readStatus(answer, request)).toEqual({ kind: 'unknown' });
        for (const change of [instruments.cancel, instruments.changeAmount])
          expect(change?.readAnswer(answer) ?? 'unknown').toBe('unknown');
      }
      expect(instruments.readAnswer(await there.send(unreachable.account, request, signal()), request)).toEqual({ kind: 'not_sent' });
      expect(instruments.readStatus(await there.query(unreachable.account, request, signal()), request)).toEqual({ kind: 'unknown' });
      const aborted = await instruments.send(account, request, AbortSignal.abort());
      expect(['unknown', 'not_sent']).toContain(instruments.readAnswer(aborted, request).kind);
    });

    testOffers('an answer without sense decides nothing about an instrument', async (offer) => {
      const { instruments } = harness().adapter;
      const request = { ...requestOf(offer.kind), providerReference: newReference(), number: '99999999' };
      for (const text of NONSENSE) {
        const answered = (status: number): RawAnswer => ({ status, headers: {}, body: bytes(text), lost: null, error: null });
        for (const status of STATUSES) {
          expect(instruments?.readAnswer(answered(status), request), `${status} ${text}`).toEqual({ kind: 'unknown' });
          expect(instruments?.readStatus(answered(status), request), `${status} ${text}`).toEqual({ kind: 'unknown' });
        }
        // These statuses alone can be a refusal of the request. A refused status query says nothing.
        for (const status of [401, 403, 429]) {
          expect(['refused', 'not_sent', 'unknown']).toContain(instruments?.readAnswer(answered(status), request).kind);
          expect(instruments?.readStatus(answered(status), request), `${status} ${text}`).toEqual({ kind: 'unknown' });
        }
        for (const status of [...STATUSES, 401, 403, 429].filter((one) => one >= 300))
          for (const change of [instruments?.cancel, instruments?.changeAmount])
            expect(change?.readAnswer(answered(status)) ?? 'unknown').not.toBe('done');
      }
    });

    testOffers('offers have limits, ways and networks, and need credentials', async (offer) => {
      const { adapter, account } = harness();
      const { instruments } = adapter;
      expect(offer.kind).toMatch(/^[a-z_]{1,20}$/);
      expect(instruments?.offers.filter(({ kind }) => kind === offer.kind)).toHaveLength(1);
      expect(offer.ways.length).toBeGreaterThan(0);
      if (offer.ways.includes('number')) expect(offer.networks.length).toBeGreaterThan(0);
      expect(offer.minAmount % SENTI_PER_SHILLING).toBe(0n);
      expect(offer.maxAmount).toBeGreaterThan(offer.minAmount);
      expect(instruments?.offeredBy(account.credentials, offer.kind)).toBe(true);
      // The provider that Bili simulates has no credentials.
      if (adapter.simulatesFailures) return;
      expect([null, '', '{}'].map((credentials) => instruments?.offeredBy(credentials, offer.kind))).toEqual([false, false, false]);
    });
  });
}

function requestOf(kind: string): InstrumentRequest {
  const reference = newReference();
  const about = { description: `Bill ${reference}`, pageUrl: 'https://pay.example.com/pay', sentAt: new Date() };
  return { reference, providerReference: null, kind, number: null, amount: SCENARIO_AMOUNT, ...about };
}

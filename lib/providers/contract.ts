import { describe, expect, test, vi } from 'vitest';
import { newPaymentReference } from '@/lib/core/ids';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { ProviderAccount, ProviderAdapter, Push, RawAnswer, RawCallback } from '@/lib/providers/port/port';
import { type Matrix, SCENARIOS, type Shown } from './scenarios';

export interface Harness {
  readonly adapter: ProviderAdapter;
  readonly account: ProviderAccount;
  /** The same where nobody listens. */
  readonly unreachable: { readonly adapter: ProviderAdapter; readonly account: ProviderAccount };
  /** Every callback so far, as it came in. */
  callbacks(): readonly RawCallback[];
  /** A callback about a push that the provider never made. */
  forge(push: Push): RawCallback;
  /** Lets the provider do what is due. */
  tick(): Promise<void>;
}

const AMOUNT = 500_100n;
const SETTLES_MS = 15_000;
const NONSENSE = [
  '',
  'null',
  '[]',
  '5',
  '"text"',
  '{}',
  '{"a":{}}',
  '{"reference":5}',
  '<html></html>',
  '\u0000',
  '{"output_ResponseCode":""}',
];
const NEVER_BOOKED: readonly Outcome['kind'][] = ['paid', 'reversed', 'accepted'];

/** The one suite that every adapter passes, through real HTTP against its provider's simulator. */
export function describeAdapter(name: string, matrix: Matrix, harness: () => Harness): void {
  const signal = () => new AbortController().signal;
  const ask = async ({ adapter, account }: Harness, push: Push) => adapter.readStatus(await adapter.query(account, push, signal()), push);
  const send = async ({ adapter, account }: Harness, push: Push) => adapter.readAnswer(await adapter.send(account, push, signal()), push);

  describe(name, () => {
    for (const scenario of SCENARIOS) {
      const shown = matrix[scenario];
      if (typeof shown === 'string') {
        test.skip(`${scenario}: ${shown}`);
        continue;
      }
      test(scenario, async () => {
        const one = harness();
        const push = newPush(shown.mobile);
        expect(await send(one, push)).toMatchObject(shown.answer);
        expect(await whatIsFound(one, push, shown.found)).toMatchObject(shown.found);
        expect(await callbacksAbout(one, push, shown.callbacks)).toHaveLength(shown.callbacks);
      });
    }

    test('asked twice, it names the same receipt', async () => {
      const { mobile } = need(matrix.paid);
      const one = harness();
      const push = newPush(mobile);
      await send(one, push);
      const [first] = await whatIsFound(one, push, [{ kind: 'paid' }]);
      expect(first).toMatchObject({ kind: 'paid', amount: AMOUNT });
      expect(await ask(one, push)).toEqual(first);
    });

    test('a reference that was used is never another payment', async () => {
      const { mobile } = need(matrix.paid);
      const one = harness();
      const push = newPush(mobile);
      await send(one, push);
      expect(await send(one, push)).toEqual({ kind: 'duplicate' });
      const found = await whatIsFound(one, push, [{ kind: 'paid' }]);
      expect(await whatIsFound(one, push, [{ kind: 'paid' }])).toEqual(found);
    });

    test('what it can send back goes back once, and a status query says so', async () => {
      const one = harness();
      const { adapter, account } = one;
      if (!adapter.reversals) return expect(adapter.reversals).toBeNull();
      const { reversals } = adapter;
      const push = newPush(need(matrix.paid).mobile);
      await send(one, push);
      const [paid] = await whatIsFound(one, push, [{ kind: 'paid' }]);
      if (paid?.kind !== 'paid') throw new Error('it was not paid');
      const reversal = { reference: newReference(), transactionId: paid.transactionId, pushReference: push.reference, amount: null };
      const find = async () => reversals.readStatus(await reversals.query(account, reversal, signal()));
      expect(await find()).toEqual({ kind: 'pending' });
      expect(['reversed', 'pending']).toContain(reversals.readAnswer(await reversals.send(account, reversal, signal())).kind);
      await vi.waitUntil(async () => (await find()).kind === 'reversed', { timeout: SETTLES_MS, interval: 10 });
      expect(['failed', 'unknown']).toContain(
        reversals.readAnswer(await reversals.send(account, { ...reversal, reference: newReference() }, signal())).kind,
      );
      expect(await ask(one, push)).toMatchObject({ kind: 'reversed', transactionId: paid.transactionId, amount: paid.amount });
    });

    test.each(NONSENSE)('the answer %j sends nothing back under any status', (text) => {
      const { adapter } = harness();
      for (const status of [200, 201, 400, 401, 404, 409, 500, 503]) {
        const answer: RawAnswer = { status, headers: {}, body: bytes(text), lost: null, error: null };
        expect(adapter.reversals?.readAnswer(answer).kind).not.toBe('reversed');
        expect(['unknown', undefined]).toContain(adapter.reversals?.readStatus(answer).kind);
      }
    });

    test('a reference that was never sent is not found', async () => {
      expect(await ask(harness(), newPush('0754000001'))).toEqual({ kind: 'not_found' });
    });

    test('a forged callback proves nothing, whoever it is about', async () => {
      const { adapter, account, forge } = harness();
      const push = newPush('0754000001');
      const read = adapter.readCallback(account, forge(push));
      expect(read).toMatchObject({ reference: push.reference, verified: false, outcome: null });
    });

    test.each(NONSENSE)('the callback %j makes no sense, and is answered', (text) => {
      const { adapter, account } = harness();
      const read = adapter.readCallback(account, { headers: {}, body: bytes(text) });
      expect(read).toMatchObject({ reference: null, outcome: null });
      expect(read.reply.status).toBeGreaterThanOrEqual(200);
    });

    test.each(NONSENSE)('the answer %j books nothing under any status', (text) => {
      const { adapter } = harness();
      const push = newPush('0754000001');
      for (const status of [200, 201, 301, 400, 401, 403, 404, 408, 429, 500, 502, 503, 504]) {
        const answer: RawAnswer = { status, headers: {}, body: bytes(text), lost: null, error: null };
        expect(NEVER_BOOKED).not.toContain(adapter.readAnswer(answer, push).kind);
        expect(['unknown', 'not_found']).toContain(adapter.readStatus(answer, push).kind);
        if (status >= 500) expect(adapter.readAnswer(answer, push)).toEqual({ kind: 'unknown' });
      }
    });

    test('no answer at all says only whether the request left', () => {
      const { adapter } = harness();
      const push = newPush('0754000001');
      for (const lost of ['not_sent', 'unknown'] as const) {
        const answer: RawAnswer = { status: null, headers: {}, body: bytes(''), lost, error: 'gone' };
        expect(adapter.readAnswer(answer, push)).toEqual({ kind: lost });
        expect(adapter.readStatus(answer, push)).toEqual({ kind: 'unknown' });
      }
    });

    test('where nobody listens, a push is certainly not sent and a query says nothing', async () => {
      const { unreachable } = harness();
      const one = { ...harness(), ...unreachable };
      const push = newPush('0754000001');
      expect(await send(one, push)).toEqual({ kind: 'not_sent' });
      expect(await ask(one, push)).toEqual({ kind: 'unknown' });
    });

    test('a worker that stops gets an answer, not an exception', async () => {
      const { adapter, account } = harness();
      const push = newPush('0754000001');
      const answer = await adapter.send(account, push, AbortSignal.abort());
      expect(['unknown', 'not_sent']).toContain(adapter.readAnswer(answer, push).kind);
    });

    test('says how many calls it takes at once, and takes its own credentials but not any', () => {
      const { adapter, account } = harness();
      expect(adapter.callsAtOnce(account) ?? 1).toBeGreaterThan(0);
      expect(adapter.checkCredentials(account.credentials, account.environment)).toEqual([]);
      for (const text of ['', 'null', '[]', '{"apiKey":5}', '{"apiKey":"secretsecret","nonsense":1}']) {
        const problems = adapter.checkCredentials(text, account.environment);
        expect(adapter.addressOf(text)).toBeNull();
        expect(adapter.shortcodeOf(text)).toBeNull();
        expect(problems.length).toBeGreaterThan(0);
        for (const problem of problems) expect(problem).toMatch(/^[\w"].*\.$/);
        expect(problems.join()).not.toContain('secretsecret');
      }
    });
  });

  /** Asks until what is expected last has been found. @returns everything that was found on the way, without repetitions. */
  async function whatIsFound(one: Harness, push: Push, expected: readonly Partial<Outcome>[]): Promise<Outcome[]> {
    const found: Outcome[] = [];
    const last = expected.at(-1);
    if (!last) return found;
    const named = expected.map(({ kind }) => kind);
    await vi.waitUntil(
      async () => {
        const outcome = await ask(one, push);
        const noted = named.includes(outcome.kind) || !['pending', 'unknown', 'not_found'].includes(outcome.kind);
        if (noted && found.at(-1)?.kind !== outcome.kind) found.push(outcome);
        if (outcome.kind === last.kind && found.length >= expected.length) return true;
        await one.tick();
        return false;
      },
      { timeout: SETTLES_MS, interval: 10 },
    );
    return found;
  }

  async function callbacksAbout(one: Harness, push: Push, wanted: number): Promise<RawCallback[]> {
    const about = () => one.callbacks().filter((callback) => one.adapter.readCallback(one.account, callback).reference === push.reference);
    await vi.waitUntil(
      async () => {
        await one.tick();
        return about().length >= wanted;
      },
      { timeout: SETTLES_MS, interval: 10 },
    );
    return about();
  }
}

function newReference(): string {
  return newPaymentReference((count) => crypto.getRandomValues(new Uint8Array(count)));
}

function newPush(mobile: string): Push {
  const reference = newReference();
  return { reference, providerReference: null, mobile, network: 'vodacom', amount: AMOUNT, description: `Bill ${reference}` };
}

function need(shown: Shown | string): Shown {
  if (typeof shown === 'string') throw new Error('every provider can take a payment');
  return shown;
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text));
}

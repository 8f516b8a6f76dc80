import { describe, expect, test, vi } from 'vitest';
import { newPaymentReference } from '@/lib/core/ids';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { PromptRequest, ProviderAccount, ProviderAdapter, RawAnswer, RawCallback } from '@/lib/providers/port/port';
import { type Matrix, SCENARIOS, type Simulation } from './scenarios';

export interface Harness {
  readonly adapter: ProviderAdapter;
  readonly account: ProviderAccount;
  /** An adapter and an account whose provider address does not answer, because nothing listens there. */
  readonly unreachable: { readonly adapter: ProviderAdapter; readonly account: ProviderAccount };
  /** Every callback received so far. */
  callbacks(): readonly RawCallback[];
  /** Creates a callback that does not come from the provider. */
  forge(prompt: PromptRequest): RawCallback;
  /** Makes the simulator do what is due. */
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

/** Declares the tests that every adapter must pass, over HTTP against the simulator of its provider. */
export function describeAdapter(name: string, matrix: Matrix, harness: () => Harness): void {
  const signal = () => new AbortController().signal;
  const query = async ({ adapter, account }: Harness, prompt: PromptRequest) =>
    adapter.readStatus(await adapter.query(account, prompt, signal()), prompt);
  const send = async ({ adapter, account }: Harness, prompt: PromptRequest) =>
    adapter.readAnswer(await adapter.send(account, prompt, signal()), prompt);

  describe(name, () => {
    for (const scenario of SCENARIOS) {
      const simulation = matrix[scenario];
      if (typeof simulation === 'string') {
        test.skip(`${scenario}: ${simulation}`);
        continue;
      }
      test(scenario, async () => {
        const one = harness();
        const prompt = newPrompt(simulation.mobile);
        expect(await send(one, prompt)).toMatchObject(simulation.answer);
        expect(await queryUntil(one, prompt, simulation.found)).toMatchObject(simulation.found);
        expect(await waitForCallbacks(one, prompt, simulation.callbacks)).toHaveLength(simulation.callbacks);
      });
    }

    test('two status queries report the same receipt number', async () => {
      const { mobile } = simulationOf(matrix.paid);
      const one = harness();
      const prompt = newPrompt(mobile);
      await send(one, prompt);
      const [first] = await queryUntil(one, prompt, [{ kind: 'paid' }]);
      expect(first).toMatchObject({ kind: 'paid', amount: AMOUNT });
      expect(await query(one, prompt)).toEqual(first);
    });

    test('a second request with the same reference is a duplicate and does not change the payment', async () => {
      const { mobile } = simulationOf(matrix.paid);
      const one = harness();
      const prompt = newPrompt(mobile);
      await send(one, prompt);
      expect(await send(one, prompt)).toEqual({ kind: 'duplicate' });
      const found = await queryUntil(one, prompt, [{ kind: 'paid' }]);
      expect(await queryUntil(one, prompt, [{ kind: 'paid' }])).toEqual(found);
    });

    test('a payment is reversed once, and a status query shows the reversal', async () => {
      const one = harness();
      const { adapter, account } = one;
      if (!adapter.reversals) return expect(adapter.reversals).toBeNull();
      const { reversals } = adapter;
      const prompt = newPrompt(simulationOf(matrix.paid).mobile);
      await send(one, prompt);
      const [paid] = await queryUntil(one, prompt, [{ kind: 'paid' }]);
      if (paid?.kind !== 'paid') throw new Error('the prompt was not paid');
      const reversal = { reference: newReference(), transactionId: paid.transactionId, promptReference: prompt.reference, amount: null };
      const find = async () => reversals.readStatus(await reversals.query(account, reversal, signal()));
      expect(await find()).toEqual({ kind: 'pending' });
      expect(['reversed', 'pending']).toContain(reversals.readAnswer(await reversals.send(account, reversal, signal())).kind);
      await vi.waitUntil(async () => (await find()).kind === 'reversed', { timeout: SETTLES_MS, interval: 10 });
      expect(['failed', 'unknown']).toContain(
        reversals.readAnswer(await reversals.send(account, { ...reversal, reference: newReference() }, signal())).kind,
      );
      expect(await query(one, prompt)).toMatchObject({ kind: 'reversed', transactionId: paid.transactionId, amount: paid.amount });
    });

    test.each(NONSENSE)('the answer %j reports no reversal with any HTTP status', (text) => {
      const { adapter } = harness();
      for (const status of [200, 201, 400, 401, 404, 409, 500, 503]) {
        const answer: RawAnswer = { status, headers: {}, body: bytes(text), lost: null, error: null };
        expect(adapter.reversals?.readAnswer(answer).kind).not.toBe('reversed');
        expect(['unknown', undefined]).toContain(adapter.reversals?.readStatus(answer).kind);
      }
    });

    test('a reference that was never sent is not found', async () => {
      expect(await query(harness(), newPrompt('0754000001'))).toEqual({ kind: 'not_found' });
    });

    test('a forged callback has no outcome', async () => {
      const { adapter, account, forge } = harness();
      const prompt = newPrompt('0754000001');
      const read = adapter.readCallback(account, forge(prompt));
      expect(read).toMatchObject({ reference: prompt.reference, verified: false, outcome: null });
    });

    test.each(NONSENSE)('the unreadable callback %j has no reference, and gets a reply', (text) => {
      const { adapter, account } = harness();
      const read = adapter.readCallback(account, { headers: {}, body: bytes(text) });
      expect(read).toMatchObject({ reference: null, outcome: null });
      expect(read.reply.status).toBeGreaterThanOrEqual(200);
    });

    test.each(NONSENSE)('the answer %j reports no payment with any HTTP status', (text) => {
      const { adapter } = harness();
      const prompt = newPrompt('0754000001');
      for (const status of [200, 201, 301, 400, 401, 403, 404, 408, 429, 500, 502, 503, 504]) {
        const answer: RawAnswer = { status, headers: {}, body: bytes(text), lost: null, error: null };
        expect(NEVER_BOOKED).not.toContain(adapter.readAnswer(answer, prompt).kind);
        expect(['unknown', 'not_found']).toContain(adapter.readStatus(answer, prompt).kind);
        if (status >= 500) expect(adapter.readAnswer(answer, prompt)).toEqual({ kind: 'unknown' });
      }
    });

    test('a lost answer is not_sent or unknown, as the call reports', () => {
      const { adapter } = harness();
      const prompt = newPrompt('0754000001');
      for (const lost of ['not_sent', 'unknown'] as const) {
        const answer: RawAnswer = { status: null, headers: {}, body: bytes(''), lost, error: 'gone' };
        expect(adapter.readAnswer(answer, prompt)).toEqual({ kind: lost });
        expect(adapter.readStatus(answer, prompt)).toEqual({ kind: 'unknown' });
      }
    });

    test('if the connection is refused, a request is not sent and a query is unknown', async () => {
      const { unreachable } = harness();
      const one = { ...harness(), ...unreachable };
      const prompt = newPrompt('0754000001');
      expect(await send(one, prompt)).toEqual({ kind: 'not_sent' });
      expect(await query(one, prompt)).toEqual({ kind: 'unknown' });
    });

    test('an aborted call returns an answer and does not throw', async () => {
      const { adapter, account } = harness();
      const prompt = newPrompt('0754000001');
      const answer = await adapter.send(account, prompt, AbortSignal.abort());
      expect(['unknown', 'not_sent']).toContain(adapter.readAnswer(answer, prompt).kind);
    });

    test('has a positive call limit, accepts its own credentials and rejects invalid ones without repeating secrets', () => {
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

  /** Queries until the last expected outcome is found. @returns all outcomes on the way, without repetitions. */
  async function queryUntil(one: Harness, prompt: PromptRequest, expected: readonly Partial<Outcome>[]): Promise<Outcome[]> {
    const found: Outcome[] = [];
    const last = expected.at(-1);
    if (!last) return found;
    const expectedKinds = expected.map(({ kind }) => kind);
    await vi.waitUntil(
      async () => {
        const outcome = await query(one, prompt);
        const relevant = expectedKinds.includes(outcome.kind) || !['pending', 'unknown', 'not_found'].includes(outcome.kind);
        if (relevant && found.at(-1)?.kind !== outcome.kind) found.push(outcome);
        if (outcome.kind === last.kind && found.length >= expected.length) return true;
        await one.tick();
        return false;
      },
      { timeout: SETTLES_MS, interval: 10 },
    );
    return found;
  }

  async function waitForCallbacks(one: Harness, prompt: PromptRequest, count: number): Promise<RawCallback[]> {
    const received = () =>
      one.callbacks().filter((callback) => one.adapter.readCallback(one.account, callback).reference === prompt.reference);
    await vi.waitUntil(
      async () => {
        await one.tick();
        return received().length >= count;
      },
      { timeout: SETTLES_MS, interval: 10 },
    );
    return received();
  }
}

function newReference(): string {
  return newPaymentReference((count) => crypto.getRandomValues(new Uint8Array(count)));
}

function newPrompt(mobile: string): PromptRequest {
  const reference = newReference();
  return { reference, providerReference: null, mobile, network: 'vodacom', amount: AMOUNT, description: `Bill ${reference}` };
}

function simulationOf(simulation: Simulation | string): Simulation {
  if (typeof simulation === 'string') throw new Error('every provider must simulate a payment');
  return simulation;
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text));
}

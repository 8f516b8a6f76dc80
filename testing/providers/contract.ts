import { describe, expect, test, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { newPaymentReference } from '@/lib/platform/core/ids';
import type { Network } from '@/lib/platform/core/network';
import { testCredentials } from '@/lib/providers/accounts/check-account';
import type { SimulatedPayout } from '@/lib/providers/kit/payouts';
import { type Matrix, SCENARIO_AMOUNT, SCENARIOS, type Simulation } from '@/lib/providers/kit/scenarios';
import type { Outcome } from '@/lib/providers/port/outcome';
import type {
  Capabilities,
  PromptRequest,
  ProviderAccount,
  ProviderAdapter,
  RawAnswer,
  RawCallback,
  Refund,
} from '@/lib/providers/port/port';
import { describeInstruments, type InstrumentControl } from './instruments';
import { describePayouts } from './payouts';
import { describeReversals } from './reversals';
import { random } from './samples';

/** A payout that a simulator has accepted. The amount is in whole shillings. */
type AcceptedPayout = Pick<SimulatedPayout, 'reference' | 'amount'>;

export interface Harness {
  readonly adapter: ProviderAdapter;
  /** The network of the mobile numbers that the tests use; Vodacom by default. */
  readonly network?: Network;
  readonly account: ProviderAccount;
  /** Whether a status query of a payment shows its reversal; true by default. Some providers need a query with the reversal's reference. */
  readonly showsReversals?: boolean;
  /** An adapter and an account whose provider address does not answer, because nothing listens there. */
  readonly unreachable: { readonly adapter: ProviderAdapter; readonly account: ProviderAccount };
  /** The same account through a recorder of requests; null if the provider is simulated by Bili. */
  readonly recorded: { readonly account: ProviderAccount; bodies(): readonly string[] } | null;
  /** The payouts that the simulator has accepted so far. */
  payouts(): readonly AcceptedPayout[] | Promise<readonly AcceptedPayout[]>;
  /** Whether the provider sends callbacks about payouts; false by default. */
  readonly announcesPayouts?: boolean;
  /** Whether a status query shows that an instrument has ended without a payment; true by default. */
  readonly showsEnds?: boolean;
  /** What customers do with the instruments of the simulator. Only needed if the adapter has instruments. */
  readonly instruments?: InstrumentControl;
  /** Every callback received so far. */
  callbacks(): readonly RawCallback[];
  /** Creates a forged callback: somebody other than the provider sends it. */
  forge(prompt: PromptRequest): RawCallback;
  /** Makes the simulator do what is due. */
  tick(): Promise<void>;
}

export const SETTLES_MS = 15_000;
export const NONSENSE = [
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

/** The timing and the guarantees that most providers have. */
const USUAL_CAPABILITIES = {
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
} as const satisfies Partial<Capabilities>;

/**
 * Declares the test that pins the timing and the guarantees of a provider. A wrong value here sends a second prompt, or asks a provider too
 * early or too often. Sources: the documents that each adapter names.
 * @param own what is not usual.
 */
export function pinCapabilities(
  name: string,
  capabilities: Capabilities,
  own: Omit<Capabilities, keyof typeof USUAL_CAPABILITIES> & Partial<Capabilities>,
): void {
  test(`the timing and the guarantees of ${name} are those of its documents`, () => {
    expect(capabilities).toEqual({ ...USUAL_CAPABILITIES, ...own });
  });
}

/** Declares the tests that every adapter must pass, over HTTP against the simulator of its provider. */
export function describeAdapter(name: string, matrix: Matrix, harness: () => Harness): void {
  const signal = () => new AbortController().signal;
  /** The provider's references that answers contained, by our reference. */
  const learnt = new Map<string, string>();
  const known = (prompt: PromptRequest): PromptRequest => ({ ...prompt, providerReference: learnt.get(prompt.reference) ?? null });
  const isQueryable = ({ adapter }: Harness, { reference }: PromptRequest) =>
    adapter.capabilities.queriedBy === 'reference' || learnt.has(reference);

  const send = async ({ adapter, account }: Harness, prompt: PromptRequest) => {
    const outcome = adapter.readAnswer(await adapter.send(account, prompt, signal()), prompt);
    if (outcome.kind === 'accepted' && outcome.providerReference !== null) learnt.set(prompt.reference, outcome.providerReference);
    return outcome;
  };
  const query = async (one: Harness, prompt: PromptRequest) => {
    const { adapter, account } = one;
    // The query needs the provider's reference, which is unknown if the answer was lost. Then the product sends the same request again, and
    // the provider repeats its answer.
    if (!isQueryable(one, prompt) && adapter.capabilities.repeatsAnswerMs > 0) await send(one, prompt);
    return adapter.readStatus(await adapter.query(account, known(prompt), signal()), known(prompt));
  };
  const first = (one: Harness) => {
    const { mobile } = simulationOf(matrix.paid);
    return newPrompt(mobile, one.network);
  };

  describe(name, () => {
    for (const scenario of SCENARIOS) {
      const simulation = matrix[scenario];
      if (typeof simulation === 'string') {
        test.skip(`${scenario}: ${simulation}`);
        continue;
      }
      test(scenario, async () => {
        const one = harness();
        const prompt = newPrompt(simulation.mobile, one.network);
        expect(await send(one, prompt)).toMatchObject(simulation.answer);
        expect(await queryUntil(one, prompt, simulation.found)).toMatchObject(simulation.found);
        expect(await waitForCallbacks(one, prompt, simulation.callbacks)).toHaveLength(simulation.callbacks);
      });
    }

    test('two status queries report the same receipt number', async () => {
      const one = harness();
      const prompt = first(one);
      await send(one, prompt);
      const [paid] = await queryUntil(one, prompt, [{ kind: 'paid' }]);
      expect(paid).toMatchObject({ kind: 'paid', amount: SCENARIO_AMOUNT });
      expect(await query(one, prompt)).toEqual(paid);
    });

    test('a second request with the same reference is a duplicate and does not change the payment', async () => {
      const one = harness();
      const prompt = first(one);
      const answer = await send(one, prompt);
      expect(await send(one, prompt)).toEqual(one.adapter.capabilities.repeatsAnswerMs > 0 ? answer : { kind: 'duplicate' });
      const found = await queryUntil(one, prompt, [{ kind: 'paid' }]);
      expect(await queryUntil(one, prompt, [{ kind: 'paid' }])).toEqual(found);
    });

    test('a payment is reversed once, and a status query shows the reversal', async () => {
      const one = harness();
      const { adapter, account } = one;
      if (!adapter.reversals) return expect(adapter.reversals).toBeNull();
      const { reversals } = adapter;
      const prompt = first(one);
      await send(one, prompt);
      const [paid] = await queryUntil(one, prompt, [{ kind: 'paid' }]);
      if (paid?.kind !== 'paid') throw new Error('the prompt was not paid');
      const reversal = refundOf(prompt, paid.transactionId);
      const find = async () => reversals.readStatus(await reversals.query(account, reversal, signal()), reversal);
      expect(await find()).toEqual({ kind: 'pending' });
      expect(['refunded', 'pending']).toContain(reversals.readAnswer(await reversals.send(account, reversal, signal()), reversal).kind);
      await vi.waitUntil(async () => (await find()).kind === 'refunded', { timeout: SETTLES_MS, interval: 10 });
      const second = { ...reversal, reference: newReference() };
      expect(['failed', 'unknown']).toContain(reversals.readAnswer(await reversals.send(account, second, signal()), second).kind);
      const kind = one.showsReversals === false ? 'paid' : 'reversed';
      expect(await query(one, prompt)).toMatchObject({ kind, transactionId: paid.transactionId, amount: paid.amount });
    });

    test('the provider gets the requested amount of a reversal', async () => {
      const { adapter, recorded, network } = harness();
      if (!adapter.reversals) return expect(adapter.reversals).toBeNull();
      if (!recorded) return expect(adapter.simulatesFailures).toBe(true);
      const reversal = { ...refundOf(newPrompt('0754000001', network), newReference()), amount: 123_400n };
      await adapter.reversals.send(recorded.account, reversal, signal());
      const body = recorded.bodies().findLast((text) => text.includes(reversal.transactionId)) ?? '';
      expect(body).toContain(reversal.transactionId);
      const amounts = [...body.matchAll(/"\w*amount":"?([\d.]+)/gi)].map(([, amount]) => Number(amount));
      // A request without an amount reverses the whole payment.
      expect(amounts).toEqual(adapter.reversals.partial || amounts.length > 0 ? [1_234] : []);
    });

    test.each(NONSENSE)('the answer %j reports no reversal with any HTTP status', (text) => {
      const { adapter } = harness();
      const reversal = refundOf(newPrompt('0754000001'), newReference());
      for (const status of [200, 201, 400, 401, 404, 409, 500, 503]) {
        const answer: RawAnswer = { status, headers: {}, body: bytes(text), lost: null, error: null };
        expect(adapter.reversals?.readAnswer(answer, reversal).kind).not.toBe('refunded');
        expect(['unknown', undefined]).toContain(adapter.reversals?.readStatus(answer, reversal).kind);
      }
    });

    test('a reference that was never sent is not found', async () => {
      const one = harness();
      const prompt = first(one);
      const asked = one.adapter.capabilities.queriedBy === 'reference' ? prompt : { ...prompt, providerReference: newReference() };
      expect(one.adapter.readStatus(await one.adapter.query(one.account, asked, signal()), asked)).toEqual({ kind: 'not_found' });
    });

    test('the test of right credentials succeeds', async () => {
      const { adapter, account } = harness();
      expect(await testCredentials(adapter, account, random)).toBeNull();
    });

    test('a forged callback has no outcome', async () => {
      const one = harness();
      const prompt = first(one);
      const read = one.adapter.readCallback(one.account, one.forge(prompt));
      expect(read).toMatchObject({ reference: prompt.reference, verified: false, outcome: null });
    });

    test('a signed callback has the outcome, and none if a byte of it was changed; an unsigned one never has an outcome', async () => {
      const one = harness();
      const { adapter, account } = one;
      if (simulationOf(matrix.paid).callbacks === 0) return expect(adapter.capabilities.signsCallbacks).toBe(false);
      const prompt = first(one);
      await send(one, prompt);
      const [callback] = await waitForCallbacks(one, prompt, 1);
      if (!callback) throw new Error('there was no callback');
      const outcomeOf = (received: RawCallback) => adapter.readCallback(account, received).outcome;
      if (!adapter.capabilities.signsCallbacks) return expect(outcomeOf(callback)).toBeNull();
      expect(outcomeOf(callback)).toMatchObject({ kind: 'paid', amount: SCENARIO_AMOUNT });
      const [paid] = await queryUntil(one, prompt, [{ kind: 'paid' }]);
      expect(outcomeOf(callback)).toMatchObject(paid?.kind === 'paid' ? { transactionId: paid.transactionId } : {});
      const changed = Buffer.from(callback.body).toString('utf8').replace('5001', '9001');
      expect(outcomeOf({ ...callback, body: bytes(changed) })).toBeNull();
    });

    test.each(NONSENSE)('the unreadable callback %j has no reference, and gets a reply', (text) => {
      const { adapter, account } = harness();
      const read = adapter.readCallback(account, { headers: {}, body: bytes(text) });
      expect(read).toMatchObject({ reference: null, outcome: null });
      expect(read.reply.status).toBeGreaterThanOrEqual(200);
    });

    test.each(NONSENSE)('the answer %j reports no payment with any HTTP status', (text) => {
      const { adapter, network } = harness();
      const prompt = newPrompt('0754000001', network);
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
      const prompt = { ...first(one), providerReference: newReference() };
      expect(await send(one, prompt)).toEqual({ kind: 'not_sent' });
      expect(one.adapter.readStatus(await one.adapter.query(one.account, prompt, signal()), prompt)).toEqual({ kind: 'unknown' });
    });

    test('an aborted call returns an answer and does not throw', async () => {
      const { adapter, account, network } = harness();
      const prompt = newPrompt('0754000001', network);
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
        expect(adapter.tillOf(text)).toBeNull();
        expect(problems.length).toBeGreaterThan(0);
        for (const problem of problems) expect(problem).toMatch(/^[\w"].*\.$/);
        expect(problems.join()).not.toContain('secretsecret');
      }
    });

    test('names the till of its credentials without showing a secret, unless Bili simulates the provider', () => {
      const { adapter, account } = harness();
      const till = adapter.tillOf(account.credentials);
      if (adapter.simulatesFailures) return expect(till).toBeNull();
      expect(till).toMatchObject({ key: expect.stringMatching(/^\w+ \S+$/), shown: expect.stringContaining(till?.name ?? '') });
      expect(adapter.tillOf(account.credentials)).toEqual(till);
      const secrets = Object.entries(JSON.parse(account.credentials ?? '{}')).filter(([name]) =>
        /key|secret|token$|password|pin$/i.test(name),
      );
      for (const [, secret] of secrets) if (typeof secret === 'string') expect(JSON.stringify(till)).not.toContain(secret);
    });
  });

  describePayouts(name, harness);
  describeInstruments(name, harness);
  describeReversals(name, simulationOf(matrix.paid).mobile, harness);

  /** Queries until the last expected outcome is found. @returns all outcomes on the way, without repetitions. */
  async function queryUntil(one: Harness, prompt: PromptRequest, expected: readonly Partial<Outcome>[]): Promise<Outcome[]> {
    const found: Outcome[] = [];
    const last = expected.at(-1);
    if (!last || (!isQueryable(one, prompt) && one.adapter.capabilities.repeatsAnswerMs === 0)) return found;
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

export function newReference(): string {
  return newPaymentReference(random);
}

function refundOf({ reference, mobile, network, amount }: PromptRequest, transactionId: string): Refund {
  return { reference: newReference(), providerReference: null, transactionId, promptReference: reference, mobile, network, amount };
}

function newPrompt(mobile: string, network: Network = 'vodacom'): PromptRequest {
  const reference = newReference();
  return { reference, providerReference: null, mobile, network, amount: SCENARIO_AMOUNT, description: `Bill ${reference}` };
}

function simulationOf(simulation: Simulation | string): Simulation {
  if (typeof simulation === 'string') throw new Error('every provider must simulate a payment');
  return simulation;
}

export function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text));
}

import type { WorkerRuntime } from '@/lib/gateway/attempts/call-provider';
import { DAY_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { Crash, FATES, fakeAdapter, type Heard } from '../fakes/fake-adapter';
import { createFakeProvider, type FakeProvider } from '../fakes/fake-provider';
import { TILLS, type Till, type Variant } from '../fakes/fake-record';
import type { TestRuntime } from '../runtime';
import { type Books, readBooks } from './books';
import { DatabaseFault, type Fault, faultyDatabase, NO_FAULT } from './faults';
import { type Claim, createLeaseWatch, type LeaseWatch } from './lease-watch';
import { clearStage, ONE_NETWORK_EACH, type Service, type Stage } from './stage';

/** The script of one call: an index into `FATES`, how the provider reacts, and how wrong the worker's clock is. */
export interface Script {
  readonly fate: number;
  readonly word: number;
  /** An index into `SKEWS_MS`. Missing if the clock is right. */
  readonly skew?: number;
}

export const HONEST: Script = { fate: 0, word: 0 };
export const SKEWS_MS = [0, 4 * SECOND_MS, -4 * SECOND_MS] as const;

/** A worker that waits for an answer, and its remaining work. */
interface Hanging {
  readonly resume: () => void;
  readonly task: Promise<void>;
}

/** The work of a worker on a claimed row. */
interface Work {
  readonly script: Script;
  readonly claim: Claim;
  readonly fault?: Fault;
}

/** The world of one history: the gateway with its database, the provider with the truth, and the people. */
export interface World extends Stage {
  readonly runtime: TestRuntime;
  readonly provider: FakeProvider;
  readonly heard: Heard;
  readonly watch: LeaseWatch;
  readonly hanging: Hanging[];
  /** Claimed work that its worker has not started. The worker is slow or dead. */
  readonly held: { work(script: Script): Promise<void> }[];
  readonly service: Service;
  /** The accounts of each till, newest last. */
  readonly tills: Readonly<Record<Till, ProviderAccount[]>>;
  /**
   * `stored`: the number of callbacks that must be stored. `perhaps`: the number of further callbacks that may be stored, because the
   * process or its database failed.
   */
  readonly callbacks: { stored: number; perhaps: number };
  /** Attempts that the provider denied after they were paid, by our reference. */
  readonly contradicted: Set<string>;
  /** Attempts that were reported with the receipt number of another attempt. */
  readonly conflicts: { readonly till: Till; readonly receipt: string; readonly reference: string }[];
  /** Payments that a trusted source reported to the gateway, as `till receipt`. */
  readonly learned: Set<string>;
  /** When the gateway last accepted a callback for an attempt, by our reference. */
  readonly hinted: Map<string, number>;
  /** Attempts that an unsigned callback reported as paid, by our reference. */
  readonly claimed: Set<string>;
  /** Attempts that an unsigned callback, or any callback of a till that they have left, reported as paid, by our reference. */
  readonly claims: Set<string>;
  /** The claims before this step. */
  claimsBefore: ReadonlySet<string>;
  /** Attempts that a callback of a till reported as paid after they had left it, by our reference. */
  readonly leftClaims: Set<string>;
  /** Attempts that may have returned to a till that they had left, because the till reported money of them, by our reference. */
  readonly mayReturn: Set<string>;
  /** Payments of attempts that had left their till, as a statement named them. `isNew`: the ledger did not have the payment before. */
  readonly refusedLines: { readonly till: Till; readonly receipt: string; readonly reference: string; readonly isNew: boolean }[];
  /** Payments with a reversed part of unknown amount, as `till receipt`. */
  readonly guessed: Set<string>;
  /** The amounts of payments that a person has corrected wrongly, by `till receipt`. */
  readonly mistaken: Map<string, number>;
  /** Payments whose amount a person has ever corrected, as `till receipt`. */
  readonly corrected: Set<string>;
  /** Receipt numbers that were reported again with another amount. */
  readonly otherAmounts: { readonly till: Till; readonly receipt: string; readonly amount: number }[];
  /**
   * One function for each callback that the gateway stored but answered with an error. The function records that the gateway has learned
   * the content of the callback. It runs when the gateway has applied the callback after all.
   */
  readonly owed: (() => void)[];
  /** Outcomes that an operator reported when settling an attempt, as our reference and kind, for example `… paid`. */
  readonly told: Set<string>;
  /** What people have received by hand, as they say last, by the id of the payment. Senti. */
  readonly cash: Map<string, number>;
  /** Payments by hand whose amount a person has corrected. */
  readonly miscounted: Set<string>;
  /** Payments of instruments that were active when the customer paid, with our reference of the instrument. */
  readonly promised: { readonly till: Till; readonly receipt: string; readonly reference: string }[];
  /** Bills for which a customer got the answer "closed" in this step. */
  readonly turnedAway: Set<string>;
  /** Our references of the requests that were sent in this step. */
  readonly sent: string[];
  /** The books after the last step. */
  books: Books;
  /** True during parallel steps. `advance` then does not change the clock. */
  frozen: boolean;
  advance(ms: number): void;
  tillOf(accountId: string): Till;
  /** Returns the runtime of one process of the gateway. Its calls follow the script, and the fault happens in its database. */
  process(script: Script, fault?: Fault): WorkerRuntime;
  /** Runs a worker until it ends, dies or hangs. */
  run(work: (runtime: WorkerRuntime) => Promise<void>, options: Work): Promise<void>;
}

const VARIANTS: readonly Variant[] = ['signed', 'unsigned', 'repeating'];

/** Empties the database and starts a world on it. Each reading of the world's clock advances the clock by a millisecond. */
export async function createWorld(stage: Stage, service: Service = ONE_NETWORK_EACH): Promise<World> {
  let now = Date.now() + 10 * SECOND_MS;
  const clock = () => {
    now += 1;
    return new Date(now);
  };
  const runtime: TestRuntime = { ...stage.runtime, clock };
  await clearStage(stage, service);
  const provider = createFakeProvider(() => new Date(now));
  const heard: Heard = { answers: 0, unsure: 0, words: new Set(), denied: new Map() };
  const watch = createLeaseWatch(provider.complaints);
  const { signed, unsigned, own, repeating } = stage.accounts;
  const tills: World['tills'] = { signed: [signed], unsigned: [unsigned], own: [own], repeating: [repeating] };

  function tillOf(accountId: string): Till {
    const till = TILLS.find((one) => tills[one].some(({ id }) => id === accountId));
    if (!till) throw new Error(`account ${accountId} has no till`);
    return till;
  }

  function build(how: Script, hang: () => Promise<void>, { claim, fault = NO_FAULT }: Partial<Work>): WorkerRuntime {
    const skew = SKEWS_MS[how.skew ?? 0] ?? 0;
    const own = () => new Date(clock().getTime() + skew);
    const script = {
      fate: FATES[how.fate % FATES.length] ?? 'answered',
      word: how.word,
      hang,
      dies: fault.kind === 'dies',
      begin(kind: 'send' | 'query', reference: string) {
        if (kind === 'send') world.sent.push(reference);
        if (claim) watch.begins(claim, kind, reference, own());
      },
    };
    const find = (name: string) => {
      const variant = VARIANTS.find((one) => name === `fake-${one}`);
      return variant && fakeAdapter({ provider, heard, variant, script, tillOf });
    };
    // With a heartbeat of a day, no worker renews its lease, so a worker whose call hangs loses its lease.
    return { ...runtime, db: faultyDatabase(runtime.db, fault), clock: own, heartbeatMs: DAY_MS, providers: { find } };
  }

  const world: World = {
    ...stage,
    runtime,
    provider,
    heard,
    watch,
    service,
    hanging: [],
    held: [],
    tills,
    callbacks: { stored: 0, perhaps: 0 },
    contradicted: new Set(),
    conflicts: [],
    learned: new Set(),
    hinted: new Map(),
    claimed: new Set(),
    claims: new Set(),
    claimsBefore: new Set(),
    leftClaims: new Set(),
    mayReturn: new Set(),
    refusedLines: [],
    guessed: new Set(),
    mistaken: new Map(),
    corrected: new Set(),
    otherAmounts: [],
    owed: [],
    told: new Set(),
    cash: new Map(),
    miscounted: new Set(),
    promised: [],
    turnedAway: new Set(),
    sent: [],
    books: await readBooks(runtime.db),
    frozen: false,
    advance(ms) {
      if (!world.frozen) now += ms;
    },
    tillOf,
    process: (how, fault = NO_FAULT) => build(how, () => Promise.resolve(), { fault }),
    async run(work, options) {
      const { script, claim } = options;
      const hung: Hanging[] = [];
      const { promise: hangs, resolve: began } = Promise.withResolvers<void>();
      const hang = () =>
        new Promise<void>((resume) => {
          hung.push({ resume, task: Promise.resolve() });
          began();
        });
      const task = work(build(script, hang, options)).then(
        () => {
          claim.over = true;
        },
        (error: unknown) => {
          if (!(error instanceof Crash) && !(error instanceof DatabaseFault)) throw error;
          // If a fault was injected, the worker may have finished its work, so another claim of the same attempt is no error. Without a
          // fault, the worker died during its work, and another claim is an error until the lease expires.
          if (options.fault && options.fault.kind !== 'none') claim.over = true;
        },
      );
      await Promise.race([task, hangs]);
      for (const call of hung) world.hanging.push({ ...call, task });
    },
  };
  return world;
}

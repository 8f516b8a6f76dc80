import type { Runtime } from '@/lib/platform/runtime/runtime';
import { AIRTEL } from './airtel/manifest';
import { AZAMPAY } from './azampay/manifest';
import { CLICKPESA } from './clickpesa/manifest';
import type { ProviderManifest } from './kit/manifest';
import { MIXX } from './mixx/manifest';
import { MPESA } from './mpesa/manifest';
import { PAWAPAY } from './pawapay/manifest';
import type { Instruments, IssueOutcome, MoneyOutcome } from './port/instrument';
import type { Outcome } from './port/outcome';
import type { ProviderAdapter, RawAnswer, ReadCallback, Refund, RefundCalls, RefundOutcome } from './port/port';
import { createSessionStore } from './port/session-store';
import type { SessionStore } from './port/sessions';
import { createSandboxAdapter } from './sandbox/adapter';
import { SELCOM } from './selcom/manifest';
import { SNIPPE } from './snippe/manifest';

/** The providers for which accounts can be added. This list is the only place outside a provider's folder that names it. */
export const PROVIDERS: readonly ProviderManifest[] = [MPESA, SNIPPE, CLICKPESA, MIXX, PAWAPAY, AZAMPAY, AIRTEL, SELCOM];

export function findProvider(name: string): ProviderManifest | undefined {
  return PROVIDERS.find((provider) => provider.name === name);
}

/** Returns the name of a provider for people. A provider of another version of Bili keeps its name in accounts. */
export function labelOf(name: string): string {
  return name === 'sandbox' ? 'Sandbox' : (findProvider(name)?.label ?? name);
}

/** The adapters of all providers. No other file of the product refers to a specific adapter. */
export interface ProviderRegistry {
  find(name: string): ProviderAdapter | undefined;
}

/**
 * Creates the adapters of all providers.
 * @param sandboxUrl the address of the simulated provider; null in a process that only reads callbacks.
 * @param sessions the store of provider sessions. By default, a store that all workers share.
 */
export function createRegistry(
  { db, secrets, settings, clock, random }: Pick<Runtime, 'db' | 'secrets' | 'settings' | 'clock' | 'random'>,
  sandboxUrl: string | null,
  sessions: SessionStore = createSessionStore({ db, secrets }),
): ProviderRegistry {
  const adapters = [
    createSandboxAdapter({ url: sandboxUrl, callbackKey: secrets.key('sandbox-provider'), delayFactor: settings.SANDBOX_DELAY_FACTOR }),
    ...PROVIDERS.map(({ createAdapter }) => createAdapter({ clock, random, sessions })),
  ];
  const byName = new Map(adapters.map((adapter) => [adapter.name, checkMessages(adapter)]));
  return { find: (name) => byName.get(name) };
}

/** The form of every reference and receipt number: people can type it, and the database can store it. U+0000, for example, cannot be stored. */
const REFERENCE = /^[\x21-\x7e]{1,100}$/;
/** Greater amounts, in senti, are mistakes. The database could not add them. */
const MAX_AMOUNT = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Checks what an adapter has read from a message before it reaches rules and database. A message without a usable receipt number or amount
 * decides nothing; other unusable references are left out.
 */
function checkMessages(adapter: ProviderAdapter): ProviderAdapter {
  const { reversals, payouts, instruments } = adapter;
  return {
    ...adapter,
    readAnswer: (answer, prompt) => checkOutcome(adapter.readAnswer(answer, prompt)),
    readStatus: (answer, prompt) => checkOutcome(adapter.readStatus(answer, prompt)),
    readCallback: (account, callback) => checkCallback(adapter.readCallback(account, callback)),
    reversals: reversals && checkRefunds(reversals),
    payouts: payouts && checkRefunds(payouts),
    instruments: instruments && checkInstruments(instruments, adapter.name === 'sandbox' ? SIMULATED_WAYS : WAYS),
  };
}

function checkOutcome(outcome: Outcome): Outcome {
  switch (outcome.kind) {
    case 'accepted':
      return { ...outcome, providerReference: orNull(outcome.providerReference) };
    case 'paid': {
      const { fee, ...paid } = outcome;
      if (!REFERENCE.test(paid.transactionId) || !isAmount(paid.amount)) return { kind: 'unknown' };
      return fee !== undefined && fee >= 0n && fee <= paid.amount ? outcome : paid;
    }
    case 'reversed':
      if (!REFERENCE.test(outcome.transactionId) || !isAmount(outcome.amount)) return { kind: 'unknown' };
      if (outcome.reversed !== null && !isAmount(outcome.reversed)) return { kind: 'unknown' };
      return { ...outcome, reversalTransactionId: orNull(outcome.reversalTransactionId) };
    default:
      return outcome;
  }
}

function checkRefunds<Calls extends RefundCalls>(calls: Calls): Calls {
  return {
    ...calls,
    readAnswer: (answer: RawAnswer, refund: Refund) => checkRefund(calls.readAnswer(answer, refund)),
    readStatus: (answer: RawAnswer, refund: Refund) => checkRefund(calls.readStatus(answer, refund)),
  };
}

function checkRefund(outcome: RefundOutcome): RefundOutcome {
  if (outcome.kind === 'pending') return { ...outcome, providerReference: orNull(outcome.providerReference ?? null) };
  if (outcome.kind !== 'refunded') return outcome;
  if (outcome.amount !== null && !isAmount(outcome.amount)) return { kind: 'unknown' };
  return { ...outcome, transactionId: orNull(outcome.transactionId) };
}

/** What customers can type, scan or open. */
const WAYS = { number: /^\d{4,20}$/, qr: /^\P{C}{1,512}$/u, link: /^https:\/\/[\x21-\x7e]{1,1990}$/ } as const;

/** The sandbox needs no certificate on a developer's machine. */
const SIMULATED_WAYS = { ...WAYS, link: /^https?:\/\/[\x21-\x7e]{1,1990}$/ } as const;
type Ways = typeof WAYS | typeof SIMULATED_WAYS;

function checkInstruments(instruments: Instruments, ways: Ways): Instruments {
  return {
    ...instruments,
    readAnswer(answer, instrument) {
      const outcome = instruments.readAnswer(answer, instrument);
      return outcome.kind === 'issued' ? (checkIssued(outcome, ways) ?? { kind: 'unknown' }) : outcome;
    },
    readStatus(answer, instrument) {
      const status = instruments.readStatus(answer, instrument);
      if (status.kind !== 'open' && status.kind !== 'ended') return status;
      const payments = status.payments.map((payment) => checkOutcome(payment)).filter(isMoney);
      if (payments.length < status.payments.length) return { kind: 'unknown' };
      if (status.kind === 'ended' || status.issued === null) return { ...status, payments };
      const issued = checkIssued(status.issued, ways);
      return issued ? { ...status, payments, issued } : { kind: 'unknown' };
    },
  };
}

type Issued = Extract<IssueOutcome, { kind: 'issued' }>;

/** Leaves out what nobody can use. Returns null if nothing is left. */
function checkIssued(issued: Issued, forms: Ways): Issued | null {
  const usable = (way: keyof Ways) => {
    const value = issued.ways[way];
    return value !== null && forms[way].test(value) ? value : null;
  };
  const ways = { number: usable('number'), qr: usable('qr'), link: usable('link') };
  if (ways.number === null && ways.qr === null && ways.link === null) return null;
  return { ...issued, ways, providerReference: orNull(issued.providerReference) };
}

function isMoney(outcome: Outcome): outcome is MoneyOutcome {
  return outcome.kind === 'paid' || outcome.kind === 'reversed';
}

function checkCallback(read: ReadCallback): ReadCallback {
  const names = { reference: orNull(read.reference), providerReference: orNull(read.providerReference ?? null) };
  return read.verified ? { ...read, ...names, outcome: read.outcome && checkOutcome(read.outcome) } : { ...read, ...names };
}

function orNull(text: string | null): string | null {
  return text !== null && REFERENCE.test(text) ? text : null;
}

function isAmount(amount: bigint): boolean {
  return amount > 0n && amount <= MAX_AMOUNT;
}

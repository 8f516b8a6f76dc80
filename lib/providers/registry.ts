import type { Outcome } from '@/lib/providers/port/outcome';
import type { CredentialField, ProviderAdapter, ReadCallback, ReversalOutcome } from '@/lib/providers/port/port';
import type { SessionStore } from '@/lib/providers/port/session-port';
import { createSessionStore } from '@/lib/providers/port/session-store';
import type { Runtime } from '@/lib/runtime/runtime';
import { createAirtelAdapter } from './airtel/adapter';
import { AIRTEL_FIELDS } from './airtel/credentials';
import { createAzampayAdapter } from './azampay/adapter';
import { AZAMPAY_FIELDS } from './azampay/credentials';
import { createClickpesaAdapter } from './clickpesa/adapter';
import { CLICKPESA_FIELDS } from './clickpesa/credentials';
import { createMixxAdapter } from './mixx/adapter';
import { MIXX_FIELDS } from './mixx/credentials';
import { createMpesaAdapter } from './mpesa/adapter';
import { MPESA_FIELDS } from './mpesa/credentials';
import { createPawapayAdapter } from './pawapay/adapter';
import { PAWAPAY_FIELDS } from './pawapay/credentials';
import { createSandboxAdapter } from './sandbox/adapter';
import { createSelcomAdapter } from './selcom/adapter';
import { SELCOM_FIELDS } from './selcom/credentials';
import { createSnippeAdapter } from './snippe/adapter';
import { SNIPPE_FIELDS } from './snippe/credentials';

/** The fields of the credentials file, by provider. The simulated provider has no credentials. */
export const CREDENTIAL_FIELDS: Readonly<Record<string, readonly CredentialField[]>> = {
  mpesa: MPESA_FIELDS,
  snippe: SNIPPE_FIELDS,
  clickpesa: CLICKPESA_FIELDS,
  mixx: MIXX_FIELDS,
  pawapay: PAWAPAY_FIELDS,
  azampay: AZAMPAY_FIELDS,
  airtel: AIRTEL_FIELDS,
  selcom: SELCOM_FIELDS,
};

/** All providers. No other file of the product refers to a specific adapter. */
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
    createMpesaAdapter({ clock, random, sessions }),
    createSnippeAdapter({ clock }),
    createClickpesaAdapter({ clock, sessions }),
    createMixxAdapter({ clock, sessions }),
    createPawapayAdapter({ clock }),
    createAzampayAdapter({ clock, sessions }),
    createAirtelAdapter({ clock, random, sessions }),
    createSelcomAdapter({ clock }),
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
  const { reversals } = adapter;
  return {
    ...adapter,
    readAnswer: (answer, prompt) => checkOutcome(adapter.readAnswer(answer, prompt)),
    readStatus: (answer, prompt) => checkOutcome(adapter.readStatus(answer, prompt)),
    readCallback: (account, callback) => checkCallback(adapter.readCallback(account, callback)),
    reversals: reversals && {
      ...reversals,
      readAnswer: (answer, reversal) => checkReversal(reversals.readAnswer(answer, reversal)),
      readStatus: (answer, reversal) => checkReversal(reversals.readStatus(answer, reversal)),
    },
  };
}

function checkOutcome(outcome: Outcome): Outcome {
  switch (outcome.kind) {
    case 'accepted':
      return { ...outcome, providerReference: orNull(outcome.providerReference) };
    case 'paid': {
      const { fee, ...paid } = outcome;
      if (!isReference(paid.transactionId) || !isAmount(paid.amount)) return { kind: 'unknown' };
      return fee !== undefined && fee >= 0n && fee <= paid.amount ? outcome : paid;
    }
    case 'reversed':
      if (!isReference(outcome.transactionId) || !isAmount(outcome.amount)) return { kind: 'unknown' };
      if (outcome.reversed !== null && !isAmount(outcome.reversed)) return { kind: 'unknown' };
      return { ...outcome, reversalTransactionId: orNull(outcome.reversalTransactionId) };
    default:
      return outcome;
  }
}

function checkReversal(outcome: ReversalOutcome): ReversalOutcome {
  if (outcome.kind !== 'reversed') return outcome;
  if (outcome.amount !== null && !isAmount(outcome.amount)) return { kind: 'unknown' };
  return { ...outcome, transactionId: orNull(outcome.transactionId) };
}

function checkCallback(read: ReadCallback): ReadCallback {
  const names = { reference: orNull(read.reference), providerReference: orNull(read.providerReference ?? null) };
  return read.verified ? { ...read, ...names, outcome: read.outcome && checkOutcome(read.outcome) } : { ...read, ...names };
}

function isReference(text: string): boolean {
  return REFERENCE.test(text);
}

function orNull(text: string | null): string | null {
  return text !== null && isReference(text) ? text : null;
}

function isAmount(amount: bigint): boolean {
  return amount > 0n && amount <= MAX_AMOUNT;
}

import { timingSafeEqual } from 'node:crypto';
import { baseUrl } from '@/lib/platform/config/settings';
import { isUuid } from '@/lib/platform/core/ids';
import type { Environment } from '@/lib/platform/core/scope';
import type { Connection, Database, Queryable } from '@/lib/platform/db/database';
import { providerAccount, providerHealth, pushAttempt } from '@/lib/platform/db/generated/tables';
import { array, boolean, nullable, pick, select, selectionOf, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { insertRow } from '@/lib/platform/db/unnest';
import { sharedQueue } from '@/lib/platform/queues/shared-queue';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { NEUTRAL_PROVIDER, type ProviderAccount } from '@/lib/providers/port/port';

type AccountRuntime = Pick<Runtime, 'secrets' | 'settings'>;

/** Decrypts the credentials of an account, and adds its callback address. */
export function openAccount({ secrets, settings }: AccountRuntime, { encryptedCredentials, ...account }: StoredAccount): ProviderAccount {
  const callbackUrl = `${baseUrl(settings, account.environment).origin}/callbacks/${NEUTRAL_PROVIDER}/${account.id}.${callbackToken(secrets, account.id)}`;
  return {
    ...account,
    callbackUrl,
    credentials: encryptedCredentials && secrets.decryptOften(encryptedCredentials, credentialsContext(account.id)),
  };
}

/** Encrypts credentials of an account. The result can be decrypted only with the id of the same account. */
export function encryptCredentials({ secrets }: Pick<Runtime, 'secrets'>, accountId: string, credentials: string): Uint8Array<ArrayBuffer> {
  return secrets.encrypt(credentials, credentialsContext(accountId));
}

/** Finds the account of the token in a callback address; undefined if the token is wrong. */
export async function findAccountByToken(
  runtime: AccountRuntime & Pick<Runtime, 'db'>,
  token: string,
): Promise<ProviderAccount | undefined> {
  const [id = '', mac = ''] = token.split('.');
  if (!isUuid(id)) return undefined;
  const expected = Buffer.from(callbackToken(runtime.secrets, id));
  const given = Buffer.from(mac);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const account = await findAccountById(runtime.db, id);
  return account && openAccount(runtime, account);
}

export function credentialsContext(accountId: string): string {
  return `provider-account:${accountId}`;
}

/** A cache of the secret tokens in callback addresses, by account id. Each call to a provider and each callback needs such a token. */
const knownTokens = new WeakMap<Runtime['secrets'], Map<string, string>>();
const KNOWN_TOKENS_MAX = 1_000;

function callbackToken(secrets: Runtime['secrets'], accountId: string): string {
  const known = knownTokens.get(secrets) ?? new Map<string, string>();
  knownTokens.set(secrets, known);
  const token = known.get(accountId) ?? secrets.token('callback', accountId);
  if (known.size >= KNOWN_TOKENS_MAX) known.clear();
  known.set(accountId, token);
  return token;
}

export const SELECTED_ACCOUNT = `id, environment, provider, coalesce(networks, '{}') AS networks, encrypted_credentials AS "encryptedCredentials"`;
export const ACCOUNT_COLUMNS = pick(providerAccount, 'id environment provider networks encryptedCredentials');

export interface StoredAccount extends Omit<ProviderAccount, 'credentials' | 'callbackUrl'> {
  readonly encryptedCredentials: Uint8Array | null;
}

const LIST_PROMPT_ACCOUNTS = statement({
  name: 'list-prompt-accounts',
  prepared: true,
  text: `SELECT id, provider, prompt_name AS "promptName" FROM provider_account
         WHERE id IN (SELECT provider_account_id FROM push_attempt WHERE bill_id = $billId)`,
  parameters: { billId: pushAttempt.billId },
  columns: pick(providerAccount, 'id provider promptName'),
});

/** Returns the accounts that a bill's attempts used, with the provider and the name that prompts show. */
export async function listPromptAccounts(db: Queryable, billId: string) {
  return LIST_PROMPT_ACCOUNTS.rows(db, { billId });
}

const FIND_ACCOUNTS = statement({
  name: 'find-accounts',
  prepared: true,
  text: `SELECT ${SELECTED_ACCOUNT} FROM provider_account WHERE id = ANY ((SELECT $ids::uuid[])::uuid[])`,
  parameters: { ids: array(providerAccount.id) },
  columns: ACCOUNT_COLUMNS,
});

const findShared = sharedQueue<string, StoredAccount | null>({
  runBatch: findAccounts,
  runAlone: async (db, id) => (await findAccounts(db, [id]))[0] ?? null,
});

/**
 * Finds an account. One statement finds all accounts that are searched for at the same time. Also finds a disabled account: its open attempts are still queried, and its
 * callbacks are still applied.
 */
export async function findAccountById(db: Database, id: string): Promise<StoredAccount | undefined> {
  return (await findShared(db, id, id)) ?? undefined;
}

async function findAccounts(db: Database, ids: readonly string[]): Promise<(StoredAccount | null)[]> {
  const accounts = new Map((await FIND_ACCOUNTS.rows(db, { ids: [...new Set(ids)] })).map((account) => [account.id, account]));
  return ids.map((id) => accounts.get(id) ?? null);
}

/** Returns an account with its owner, if it is not disabled. */
export async function findServingAccount({ prisma }: Connection, id: string) {
  const select = { ...selectionOf(ACCOUNT_COLUMNS), merchantId: true } as const;
  return (await prisma.providerAccount.findUnique({ where: { id, disabledAt: null }, select })) ?? undefined;
}

export type ListedAccount = Awaited<ReturnType<typeof listAccounts>>[number];

// A trigger sets till_id.
const NEW_ACCOUNT = {
  ...ACCOUNT_COLUMNS,
  ...pick(providerAccount, 'merchantId encryptedCredentials label createdAt tillIdentity callLimit callsPerMinute'),
};
const INSERT_ACCOUNT = statement({ name: 'insert an account', text: insertRow('provider_account', NEW_ACCOUNT), parameters: NEW_ACCOUNT });

type NewAccount = Omit<Parameters<typeof INSERT_ACCOUNT.rows>[1], 'tillIdentity' | 'callLimit' | 'callsPerMinute'> & {
  readonly tillIdentity?: string | null;
  readonly callLimit?: number | null;
  readonly callsPerMinute?: number | null;
};

export async function insertAccount(
  db: Queryable,
  { tillIdentity = null, callLimit = null, callsPerMinute = null, ...account }: NewAccount,
): Promise<void> {
  await INSERT_ACCOUNT.rows(db, { ...account, tillIdentity, callLimit, callsPerMinute });
}

/** The provider of accounts for money that passes through the hands of people. It has no adapter. */
export const HAND = 'hand';

const FIND_HAND_ACCOUNT = statement({
  name: 'find the account for money by hand',
  text: `SELECT id FROM provider_account
         WHERE provider = '${HAND}' AND environment = $environment AND merchant_id IS NOT DISTINCT FROM $merchantId`,
  parameters: pick(providerAccount, 'environment merchantId'),
  columns: { id: providerAccount.id },
});

const INSERT_HAND_ACCOUNT = statement({
  name: 'insert an account for money by hand',
  text: `INSERT INTO provider_account (id, environment, merchant_id, provider, label, networks, created_at, disabled_at)
         VALUES ($id, $environment, $merchantId, '${HAND}', 'By hand', '{}', $now, $now) ON CONFLICT DO NOTHING`,
  parameters: { ...pick(providerAccount, 'id environment merchantId'), now: timestamptz },
});

/**
 * Returns the id of the account for money that passes through the hands of a merchant's people, or of the operator's if `merchantId` is null.
 * Creates it if there is none.
 */
export async function findHandAccount(
  tx: Queryable,
  owner: { readonly environment: Environment; readonly merchantId: string | null },
  created: { readonly id: string; readonly now: Date },
): Promise<string> {
  const found = await FIND_HAND_ACCOUNT.first(tx, owner);
  if (found) return found.id;
  await INSERT_HAND_ACCOUNT.rows(tx, { ...owner, ...created });
  const inserted = (await FIND_HAND_ACCOUNT.first(tx, owner))?.id;
  if (inserted === undefined) throw new Error('the account for money by hand was neither inserted nor found');
  return inserted;
}

const LISTED = pick(
  providerAccount,
  'merchantId tillIdentity label createdAt disabledAt downSince refusals avoidUntil promptName refusedSince lastRefusal',
);
const LIST_ACCOUNTS = statement({
  name: 'list accounts',
  text: `SELECT ${SELECTED_ACCOUNT}, ${select(LISTED, 'p.')}, (SELECT slug FROM merchant m WHERE m.id = merchant_id) AS merchant, health.*
         FROM provider_account p CROSS JOIN LATERAL (
           SELECT max(last_success_at) AS "lastSuccessAt", coalesce(max(failures), 0) AS failures,
             (array_agg(last_error ORDER BY last_failure_at DESC) FILTER (WHERE failures > 0))[1] AS "lastError"
           FROM provider_health h WHERE h.account_id = p.id) health
         WHERE p.provider <> '${HAND}' ORDER BY created_at, id`,
  columns: {
    ...ACCOUNT_COLUMNS,
    ...LISTED,
    /** The slug of the merchant that owns the account; null for the operator. */
    merchant: nullable(text),
    /** Time of the last answer, updated at most every ten seconds; null before the first. */
    lastSuccessAt: providerHealth.lastSuccessAt,
    /** Number of consecutive calls without an answer: payment requests or status queries, whichever is larger. */
    failures: providerHealth.failures,
    /** Error of the last call without an answer; null if `failures` is 0. */
    lastError: providerHealth.lastError,
  },
});

/** Returns the accounts of providers, without those for money by hand. */
export async function listAccounts(db: Queryable) {
  return LIST_ACCOUNTS.rows(db, {});
}

const FIND_OTHER = statement({
  name: "find another owner's account of a till",
  text: `SELECT label, (SELECT slug FROM merchant m WHERE m.id = merchant_id) AS merchant
         FROM provider_account a
         WHERE provider = $provider AND environment = $environment AND till_identity = $tillIdentity AND merchant_id IS DISTINCT FROM $merchantId::uuid
           AND (disabled_at IS NULL OR EXISTS (SELECT 1 FROM payment p WHERE p.till_id = a.till_id)) ORDER BY created_at, id LIMIT 1`,
  parameters: { ...pick(providerAccount, 'provider environment merchantId'), tillIdentity: text },
  columns: { label: providerAccount.label, merchant: nullable(text) },
});

/** Finds an account of a till that does not belong to the given owner, and that is active or whose till has payments in the ledger. */
export async function findAccountOfOther(db: Queryable, till: Parameters<typeof FIND_OTHER.rows>[1]) {
  return FIND_OTHER.first(db, till);
}

// Each worker runs this query when it starts. It is plain SQL, so that an idle worker does not need to load a Prisma client.
const LIST_TO_COMPLETE = statement({
  name: 'list accounts to complete',
  text: `SELECT ${SELECTED_ACCOUNT}, call_limit IS NULL AS "lacksCallLimit", till_identity IS NULL AS "lacksIdentity"
         FROM provider_account WHERE (call_limit IS NULL OR till_identity IS NULL) AND encrypted_credentials IS NOT NULL ORDER BY created_at, id`,
  columns: { ...ACCOUNT_COLUMNS, lacksCallLimit: boolean, lacksIdentity: boolean },
});

/** Lists the accounts whose call limit or till identity has not been read from their credentials yet. */
export async function listAccountsToComplete(db: Queryable) {
  return LIST_TO_COMPLETE.rows(db, {});
}

/** Returns the merchant that owns an account; null for the operator. */
export async function findAccountOwner({ prisma }: Connection, id: string): Promise<string | null> {
  const account = await prisma.providerAccount.findUnique({ where: { id }, select: { merchantId: true } });
  return account?.merchantId ?? null;
}

import type { Environment } from '@/lib/core/scope';
import type { Connection, Database, Queryable } from '@/lib/db/database';
import { array, boolean, bytea, bytes, environment, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { sharedQueue } from '@/lib/queues/shared-queue';

export const SELECTED_ACCOUNT = `id, environment, provider, coalesce(networks, '{}') AS networks, encrypted_credentials AS "encryptedCredentials"`;
export const ACCOUNT_COLUMNS = { id: uuid, environment, provider: text, networks: array(text), encryptedCredentials: nullable(bytea) };

export interface StoredAccount extends Omit<ProviderAccount, 'credentials' | 'callbackUrl'> {
  readonly encryptedCredentials: Uint8Array | null;
}

const LIST_PROMPT_ACCOUNTS = statement({
  name: 'list-prompt-accounts',
  prepared: true,
  text: `SELECT id, provider, prompt_name AS "promptName" FROM provider_account
         WHERE id IN (SELECT provider_account_id FROM push_attempt WHERE bill_id = $billId)`,
  parameters: { billId: uuid },
  columns: { id: uuid, provider: text, promptName: nullable(text) },
});

/** Returns the accounts that a bill's attempts used, with the provider and the name that prompts show. */
export async function listPromptAccounts(db: Queryable, billId: string) {
  return LIST_PROMPT_ACCOUNTS.rows(db, { billId });
}

const FIND_ACCOUNTS = statement({
  name: 'find-accounts',
  prepared: true,
  text: `SELECT ${SELECTED_ACCOUNT} FROM provider_account WHERE id = ANY ((SELECT $ids::uuid[])::uuid[])`,
  parameters: { ids: array(uuid) },
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
  const found = new Map((await FIND_ACCOUNTS.rows(db, { ids: [...new Set(ids)] })).map((account) => [account.id, account]));
  return ids.map((id) => found.get(id) ?? null);
}

const FIND_SERVING_ACCOUNT = statement({
  name: 'find-serving-account',
  prepared: true,
  text: `SELECT ${SELECTED_ACCOUNT}, merchant_id AS "merchantId" FROM provider_account WHERE id = $id AND disabled_at IS NULL`,
  parameters: { id: uuid },
  columns: { ...ACCOUNT_COLUMNS, merchantId: nullable(uuid) },
});

/** Returns an account with its owner, if it is not disabled. */
export async function findServingAccount(db: Queryable, id: string) {
  return FIND_SERVING_ACCOUNT.first(db, { id });
}

/** Stores new credentials. @returns false if the account is disabled. */
export async function replaceCredentials(
  { prisma }: Connection,
  id: string,
  data: {
    readonly encryptedCredentials: Uint8Array<ArrayBuffer>;
    readonly tillIdentity: string | null;
    readonly callLimit: number;
    readonly callsPerMinute: number | null;
  },
): Promise<boolean> {
  const { count } = await prisma.providerAccount.updateMany({ where: { id, disabledAt: null }, data });
  return count > 0;
}

export type ListedAccount = Awaited<ReturnType<typeof listAccounts>>[number];

// A trigger sets till_id.
const INSERT_ACCOUNT = statement({
  name: 'insert an account',
  text: `INSERT INTO provider_account (id, environment, merchant_id, provider, label, networks, encrypted_credentials, till_identity, call_limit, calls_per_minute, created_at)
         VALUES ($id, $environment, $merchantId, $provider, $label, $networks, $encryptedCredentials, $tillIdentity, $callLimit, $callsPerMinute, $createdAt)`,
  parameters: {
    ...ACCOUNT_COLUMNS,
    encryptedCredentials: nullable(bytes),
    /** The merchant that owns the account; null for the operator. */
    merchantId: nullable(uuid),
    label: text,
    /** See `identityOf`; null if nothing identifies the till, or if it has not been read from the credentials yet. */
    tillIdentity: nullable(text),
    /** Limit of parallel requests, over all workers; null for the default. */
    callLimit: nullable(int4),
    /** Limit of requests per minute, over all workers; null for none. */
    callsPerMinute: nullable(int4),
    createdAt: timestamptz,
  },
  columns: {},
});

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

/** Finds an active account of the given owner at the given provider that serves at least one of the given networks. */
export async function findConflictingAccount(
  { prisma }: Connection,
  {
    networks,
    ...owner
  }: {
    readonly environment: Environment;
    readonly merchantId: string | null;
    readonly provider: string;
    readonly networks: readonly string[];
  },
) {
  return prisma.providerAccount.findFirst({
    where: { ...owner, networks: { hasSome: [...networks] }, disabledAt: null },
    select: { label: true, networks: true },
  });
}

const LIST_ACCOUNTS = statement({
  name: 'list accounts',
  text: `SELECT ${SELECTED_ACCOUNT}, merchant_id AS "merchantId", till_identity AS "tillIdentity", label, created_at AS "createdAt", disabled_at AS "disabledAt",
           (SELECT slug FROM merchant m WHERE m.id = merchant_id) AS merchant, down_since AS "downSince", p.refusals, avoid_until AS "avoidUntil",
           prompt_name AS "promptName", refused_since AS "refusedSince", last_refusal AS "lastRefusal", health.*
         FROM provider_account p CROSS JOIN LATERAL (
           SELECT max(last_success_at) AS "lastSuccessAt", coalesce(max(failures), 0) AS failures,
             (array_agg(last_error ORDER BY last_failure_at DESC) FILTER (WHERE failures > 0))[1] AS "lastError"
           FROM provider_health h WHERE h.account_id = p.id) health
         ORDER BY created_at, id`,
  parameters: {},
  columns: {
    ...ACCOUNT_COLUMNS,
    merchantId: nullable(uuid),
    tillIdentity: nullable(text),
    label: text,
    createdAt: timestamptz,
    disabledAt: nullable(timestamptz),
    /** The slug of the merchant that owns the account; null for the operator. */
    merchant: nullable(text),
    /** The start of the current outage of the provider; null if there is none. */
    downSince: nullable(timestamptz),
    /** How often the provider has refused the account's owner since it last accepted a payment request, or since a successful test. */
    refusals: int4,
    /**
     * Until this time, other accounts are tried first, because the provider has refused the owner of this account. Null if the provider
     * has refused no payment request since it last accepted one.
     */
    avoidUntil: nullable(timestamptz),
    /** The name that prompts show as the receiver of the money; null if nobody has set it. */
    promptName: nullable(text),
    /** Since when the provider refuses the owner, if the operator was notified of it; null otherwise. */
    refusedSince: nullable(timestamptz),
    /** What the provider answered to the last refused payment request; null if there was none. */
    lastRefusal: nullable(text),
    /** Time of the last answer, updated at most every ten seconds; null before the first. */
    lastSuccessAt: nullable(timestamptz),
    /** Number of consecutive calls without an answer: payment requests or status queries, whichever is larger. */
    failures: int4,
    /** Error of the last call without an answer; null if `failures` is 0. */
    lastError: nullable(text),
  },
});

export async function listAccounts(db: Queryable) {
  return LIST_ACCOUNTS.rows(db, {});
}

const FIND_OTHER = statement({
  name: "find another owner's account of a till",
  text: `SELECT label, (SELECT slug FROM merchant m WHERE m.id = merchant_id) AS merchant
         FROM provider_account a
         WHERE provider = $provider AND environment = $environment AND till_identity = $tillIdentity AND merchant_id IS DISTINCT FROM $merchantId::uuid
           AND (disabled_at IS NULL OR EXISTS (SELECT 1 FROM payment p WHERE p.till_id = a.till_id)) ORDER BY created_at, id LIMIT 1`,
  parameters: { provider: text, environment, merchantId: nullable(uuid), tillIdentity: text },
  columns: { label: text, merchant: nullable(text) },
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
  parameters: {},
  columns: { ...ACCOUNT_COLUMNS, lacksCallLimit: boolean, lacksIdentity: boolean },
});

/** Lists the accounts whose call limit or till identity has not been read from their credentials yet. */
export async function listAccountsToComplete(db: Queryable) {
  return LIST_TO_COMPLETE.rows(db, {});
}

export async function setCallLimit({ prisma }: Connection, id: string, callLimit: number): Promise<void> {
  await prisma.providerAccount.updateMany({ where: { id }, data: { callLimit } });
}

export async function setTillIdentity({ prisma }: Connection, id: string, tillIdentity: string): Promise<void> {
  await prisma.providerAccount.updateMany({ where: { id, tillIdentity: null }, data: { tillIdentity } });
}

/** Disables an account. @returns its owner; undefined if there is no such active account. */
export async function markDisabled({ prisma }: Connection, id: string, now: Date) {
  const [disabled] = await prisma.providerAccount.updateManyAndReturn({
    where: { id, disabledAt: null },
    data: { disabledAt: now },
    select: { merchantId: true, environment: true },
  });
  return disabled;
}

/** Returns the merchant that owns an account; null for the operator. */
export async function findAccountOwner({ prisma }: Connection, id: string): Promise<string | null> {
  const account = await prisma.providerAccount.findUnique({ where: { id }, select: { merchantId: true } });
  return account?.merchantId ?? null;
}

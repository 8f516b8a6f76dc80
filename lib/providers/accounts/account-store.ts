import type { Environment, Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { ProviderAccount } from '@/lib/providers/port/port';

const ACCOUNT_COLUMNS = 'id, environment, provider, networks, encrypted_credentials AS "encryptedCredentials"';

export interface StoredAccount extends Omit<ProviderAccount, 'credentials' | 'callbackUrl'> {
  readonly encryptedCredentials: Uint8Array | null;
}

/** Accounts that take new prompts for a merchant's customers: its own and the operator's. */
const SERVING = 'environment = $1 AND (merchant_id = $2 OR merchant_id IS NULL) AND disabled_at IS NULL';

/** @returns the account that serves a network: a merchant's own before the operator's. */
export async function findProviderAccount(
  db: Queryable,
  { environment, merchantId, network }: { environment: Environment; merchantId: string; network: string },
): Promise<StoredAccount | undefined> {
  const [account] = await db.query<StoredAccount>(
    {
      text: `SELECT ${ACCOUNT_COLUMNS} FROM provider_account
             WHERE ${SERVING} AND $3 = ANY (networks)
             ORDER BY merchant_id NULLS LAST, created_at LIMIT 1`,
    },
    [environment, merchantId, network],
  );
  return account;
}

/** @returns every network that an account serves for a merchant's customers. */
export async function listServedNetworks(db: Queryable, { environment, merchantId }: Scope): Promise<string[]> {
  const rows = await db.query<{ network: string }>(
    { text: `SELECT DISTINCT unnest(networks) AS network FROM provider_account WHERE ${SERVING}` },
    [environment, merchantId],
  );
  return rows.map(({ network }) => network);
}

/** @returns every network that is served for a merchant's customers, and whether the account that serves it is down. */
export async function listNetworkHealth(db: Queryable, { environment, merchantId }: Scope): Promise<{ network: string; down: boolean }[]> {
  return db.query<{ network: string; down: boolean }>(
    {
      name: 'list-network-health',
      text: `SELECT DISTINCT ON (network) network, down_since IS NOT NULL AS down FROM provider_account CROSS JOIN LATERAL unnest(networks) AS network
             WHERE ${SERVING} ORDER BY network, merchant_id NULLS LAST, created_at`,
    },
    [environment, merchantId],
  );
}

/** @returns the name of the provider of each account that a bill's prompts went through, by the account's id. */
export async function listProviderNames(db: Queryable, billId: string): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; provider: string }>(
    {
      name: 'list-provider-names',
      text: `SELECT id, provider FROM provider_account
             WHERE id IN (SELECT provider_account_id FROM push_attempt WHERE bill_id = $1)`,
    },
    [billId],
  );
  return new Map(rows.map(({ id, provider }) => [id, provider]));
}

/** By id alone: an account that was disabled still answers for what it sent. */
export async function findAccountById(db: Queryable, id: string): Promise<StoredAccount | undefined> {
  const [account] = await db.query<StoredAccount>({ text: `SELECT ${ACCOUNT_COLUMNS} FROM provider_account WHERE id = $1` }, [id]);
  return account;
}

/** @returns the account with its owner, if it takes new prompts. */
export async function findServingAccount(
  db: Queryable,
  id: string,
): Promise<(StoredAccount & { readonly merchantId: string | null }) | undefined> {
  const [account] = await db.query<StoredAccount & { merchantId: string | null }>(
    { text: `SELECT ${ACCOUNT_COLUMNS}, merchant_id AS "merchantId" FROM provider_account WHERE id = $1 AND disabled_at IS NULL` },
    [id],
  );
  return account;
}

/** @returns false when the account has been disabled meanwhile. */
export async function replaceCredentials(
  db: Queryable,
  id: string,
  { encryptedCredentials, callLimit }: { readonly encryptedCredentials: Uint8Array; readonly callLimit: number },
): Promise<boolean> {
  const rows = await db.query(
    {
      text: `UPDATE provider_account SET encrypted_credentials = $2, call_limit = $3 WHERE id = $1 AND disabled_at IS NULL
             RETURNING 1 AS updated`,
    },
    [id, Buffer.from(encryptedCredentials), callLimit],
  );
  return rows.length > 0;
}

interface NewAccount extends StoredAccount {
  /** Whose own it is; null for the operator's. */
  readonly merchantId: string | null;
  readonly label: string;
  /** How many prompts may be sent through it at once, by all workers together; null or absent for the default. */
  readonly callLimit?: number | null;
  readonly createdAt: Date;
}

/** An account as the operator sees it. */
export interface ListedAccount extends NewAccount {
  /** Slug; null for the operator's. */
  readonly merchant: string | null;
  readonly disabledAt: Date | null;
  /** Since when its provider has not answered; null while it does. */
  readonly downSince: Date | null;
  /** Of all calls; null before the first. Noted every ten seconds at most. */
  readonly lastSuccessAt: Date | null;
  /** Calls in a row that were not answered: prompts or status queries, whichever are more. */
  readonly failures: number;
  /** Of the last call that was not answered; null while all are. */
  readonly lastError: string | null;
}

export async function insertAccount(db: Queryable, account: NewAccount): Promise<void> {
  const { id, environment, merchantId, provider, label, networks, encryptedCredentials, callLimit = null, createdAt } = account;
  await db.query(
    {
      text: `INSERT INTO provider_account (id, environment, merchant_id, provider, label, networks, encrypted_credentials, call_limit, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    },
    [
      id,
      environment,
      merchantId,
      provider,
      label,
      networks,
      encryptedCredentials && Buffer.from(encryptedCredentials),
      callLimit,
      createdAt,
    ],
  );
}

/** @returns an account of the same owner that serves one of these networks already. */
export async function findRival(
  db: Queryable,
  { environment, merchantId, networks }: { environment: Environment; merchantId: string | null; networks: readonly string[] },
): Promise<{ label: string; networks: string[] } | undefined> {
  const [rival] = await db.query<{ label: string; networks: string[] }>(
    {
      text: `SELECT label, networks FROM provider_account
             WHERE environment = $1 AND merchant_id IS NOT DISTINCT FROM $2::uuid AND networks && $3::text[] AND disabled_at IS NULL LIMIT 1`,
    },
    [environment, merchantId, networks],
  );
  return rival;
}

/** Every account there is, of every owner: for the operator. */
export async function listAccounts(db: Queryable): Promise<ListedAccount[]> {
  return db.query<ListedAccount>({
    text: `SELECT ${ACCOUNT_COLUMNS}, merchant_id AS "merchantId", label, created_at AS "createdAt", disabled_at AS "disabledAt",
             (SELECT slug FROM merchant m WHERE m.id = merchant_id) AS merchant, down_since AS "downSince", health.*
           FROM provider_account p CROSS JOIN LATERAL (
             SELECT max(last_success_at) AS "lastSuccessAt", coalesce(max(failures), 0) AS failures,
               (array_agg(last_error ORDER BY last_failure_at DESC) FILTER (WHERE failures > 0))[1] AS "lastError"
             FROM provider_health h WHERE h.account_id = p.id) health
           ORDER BY created_at, id`,
  });
}

/** Accounts whose limit of calls has not been read from their credentials yet. */
export async function listUnlimited(db: Queryable): Promise<StoredAccount[]> {
  return db.query<StoredAccount>({
    text: `SELECT ${ACCOUNT_COLUMNS} FROM provider_account WHERE call_limit IS NULL AND encrypted_credentials IS NOT NULL`,
  });
}

export async function setCallLimit(db: Queryable, id: string, callLimit: number): Promise<void> {
  await db.query({ text: 'UPDATE provider_account SET call_limit = $2 WHERE id = $1' }, [id, callLimit]);
}

/** @returns whose it was; undefined when there is no such account, or it was disabled before. */
export async function markDisabled(
  db: Queryable,
  id: string,
  now: Date,
): Promise<{ merchantId: string | null; environment: Environment } | undefined> {
  const [disabled] = await db.query<{ merchantId: string | null; environment: Environment }>(
    {
      text: `UPDATE provider_account SET disabled_at = $2 WHERE id = $1 AND disabled_at IS NULL
             RETURNING merchant_id AS "merchantId", environment`,
    },
    [id, now],
  );
  return disabled;
}

/** @returns the merchant whose own an account is; null for the operator's. */
export async function findAccountOwner(db: Queryable, id: string): Promise<string | null> {
  const [account] = await db.query<{ merchantId: string | null }>(
    { text: 'SELECT merchant_id AS "merchantId" FROM provider_account WHERE id = $1' },
    [id],
  );
  return account?.merchantId ?? null;
}

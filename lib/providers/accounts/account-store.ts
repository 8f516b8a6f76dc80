import type { Environment } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { array, bytea, environment, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { ProviderAccount } from '@/lib/providers/port/port';

export const SELECTED_ACCOUNT = `id, environment, provider, coalesce(networks, '{}') AS networks, encrypted_credentials AS "encryptedCredentials"`;
export const ACCOUNT_COLUMNS = { id: uuid, environment, provider: text, networks: array(text), encryptedCredentials: nullable(bytea) };

export interface StoredAccount extends Omit<ProviderAccount, 'credentials' | 'callbackUrl'> {
  readonly encryptedCredentials: Uint8Array | null;
}

const LIST_PROVIDER_NAMES = statement({
  name: 'list-provider-names',
  prepared: true,
  text: `SELECT id, provider FROM provider_account
         WHERE id IN (SELECT provider_account_id FROM push_attempt WHERE bill_id = $billId)`,
  parameters: { billId: uuid },
  columns: { id: uuid, provider: text },
});

/** @returns the name of the provider of each account that a bill's prompts went through, by the account's id. */
export async function listProviderNames(db: Queryable, billId: string): Promise<Map<string, string>> {
  const rows = await LIST_PROVIDER_NAMES.rows(db, { billId });
  return new Map(rows.map(({ id, provider }) => [id, provider]));
}

const FIND_ACCOUNT = statement({
  name: 'find an account',
  text: `SELECT ${SELECTED_ACCOUNT} FROM provider_account WHERE id = $id`,
  parameters: { id: uuid },
  columns: ACCOUNT_COLUMNS,
});

/** By id alone: an account that was disabled still answers for what it sent. */
export async function findAccountById(db: Queryable, id: string): Promise<StoredAccount | undefined> {
  return FIND_ACCOUNT.first(db, { id });
}

const FIND_SERVING_ACCOUNT = statement({
  name: 'find an account that takes prompts',
  text: `SELECT ${SELECTED_ACCOUNT}, merchant_id AS "merchantId" FROM provider_account WHERE id = $id AND disabled_at IS NULL`,
  parameters: { id: uuid },
  columns: { ...ACCOUNT_COLUMNS, merchantId: nullable(uuid) },
});

/** @returns the account with its owner, if it takes new prompts. */
export async function findServingAccount(
  db: Queryable,
  id: string,
): Promise<(StoredAccount & { readonly merchantId: string | null }) | undefined> {
  return FIND_SERVING_ACCOUNT.first(db, { id });
}

/** @returns false when the account has been disabled meanwhile. */
export async function replaceCredentials(
  { prisma }: Connection,
  id: string,
  data: { readonly encryptedCredentials: Uint8Array<ArrayBuffer>; readonly callLimit: number },
): Promise<boolean> {
  const { count } = await prisma.providerAccount.updateMany({ where: { id, disabledAt: null }, data });
  return count > 0;
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

// Its till is filled in by a trigger.
const INSERT_ACCOUNT = statement({
  name: 'insert an account',
  text: `INSERT INTO provider_account (id, environment, merchant_id, provider, label, networks, encrypted_credentials, call_limit, created_at)
         VALUES ($id, $environment, $merchantId, $provider, $label, $networks, $encryptedCredentials, $callLimit, $createdAt)`,
  parameters: {
    ...ACCOUNT_COLUMNS,
    merchantId: nullable(uuid),
    label: text,
    callLimit: nullable(int4),
    createdAt: timestamptz,
  },
  columns: {},
});

export async function insertAccount(db: Queryable, { encryptedCredentials, callLimit = null, ...account }: NewAccount): Promise<void> {
  const sealed = encryptedCredentials && Buffer.from(encryptedCredentials);
  await INSERT_ACCOUNT.rows(db, { ...account, encryptedCredentials: sealed, callLimit });
}

/** @returns an account of the same owner that serves one of these networks already. */
export async function findRival(
  { prisma }: Connection,
  { environment, merchantId, networks }: { environment: Environment; merchantId: string | null; networks: readonly string[] },
): Promise<{ label: string; networks: string[] } | null> {
  return prisma.providerAccount.findFirst({
    where: { environment, merchantId, networks: { hasSome: [...networks] }, disabledAt: null },
    select: { label: true, networks: true },
  });
}

const LIST_ACCOUNTS = statement({
  name: 'list accounts',
  text: `SELECT ${SELECTED_ACCOUNT}, merchant_id AS "merchantId", label, created_at AS "createdAt", disabled_at AS "disabledAt",
           (SELECT slug FROM merchant m WHERE m.id = merchant_id) AS merchant, down_since AS "downSince", health.*
         FROM provider_account p CROSS JOIN LATERAL (
           SELECT max(last_success_at) AS "lastSuccessAt", coalesce(max(failures), 0) AS failures,
             (array_agg(last_error ORDER BY last_failure_at DESC) FILTER (WHERE failures > 0))[1] AS "lastError"
           FROM provider_health h WHERE h.account_id = p.id) health
         ORDER BY created_at, id`,
  parameters: {},
  columns: {
    ...ACCOUNT_COLUMNS,
    merchantId: nullable(uuid),
    label: text,
    createdAt: timestamptz,
    disabledAt: nullable(timestamptz),
    merchant: nullable(text),
    downSince: nullable(timestamptz),
    lastSuccessAt: nullable(timestamptz),
    failures: int4,
    lastError: nullable(text),
  },
});

/** Every account there is, of every owner: for the operator. */
export async function listAccounts(db: Queryable): Promise<ListedAccount[]> {
  return LIST_ACCOUNTS.rows(db, {});
}

/** Accounts whose limit of calls has not been read from their credentials yet. */
export async function listUnlimited({ prisma }: Connection): Promise<StoredAccount[]> {
  return prisma.providerAccount.findMany({
    where: { callLimit: null, encryptedCredentials: { not: null } },
    select: { id: true, environment: true, provider: true, networks: true, encryptedCredentials: true },
  });
}

export async function setCallLimit({ prisma }: Connection, id: string, callLimit: number): Promise<void> {
  await prisma.providerAccount.updateMany({ where: { id }, data: { callLimit } });
}

/** @returns whose it was; undefined when there is no such account, or it was disabled before. */
export async function markDisabled(
  { prisma }: Connection,
  id: string,
  now: Date,
): Promise<{ merchantId: string | null; environment: Environment } | undefined> {
  const [disabled] = await prisma.providerAccount.updateManyAndReturn({
    where: { id, disabledAt: null },
    data: { disabledAt: now },
    select: { merchantId: true, environment: true },
  });
  return disabled;
}

const FIND_OWNER = statement({
  name: 'find the owner of an account',
  text: 'SELECT merchant_id AS "merchantId" FROM provider_account WHERE id = $id',
  parameters: { id: uuid },
  columns: { merchantId: nullable(uuid) },
});

/** @returns the merchant whose own an account is; null for the operator's. */
export async function findAccountOwner(db: Queryable, id: string): Promise<string | null> {
  return (await FIND_OWNER.first(db, { id }))?.merchantId ?? null;
}

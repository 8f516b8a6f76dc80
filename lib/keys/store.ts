import { type KeyScope, readKeyScopes } from '@/lib/accounts/key-scopes';
import type { Senti } from '@/lib/core/money';
import type { Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import type { ApiKey } from '@/lib/db/generated/client';
import { array, boolean, bytea, environment, int8, nullable, profileStatus, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { StoredKey } from './rules';

const SELECT_KEY = statement({
  name: 'select-key',
  prepared: true,
  text: `SELECT k.id, k.merchant_id AS "merchantId", k.environment, k.secret_hash AS "secretHash", k.expires_at AS "expiresAt",
           k.revoked_at AS "revokedAt", k.networks, k.bill_max AS "billMax", k.day_max AS "dayMax", k.scopes,
           p.status AS "profileStatus", k.first_id AS "firstId", p.unique_references AS "uniqueReferences",
           p.return_origins AS "returnOrigins"
         FROM api_key k JOIN merchant_profile p ON p.merchant_id = k.merchant_id AND p.environment = k.environment
         WHERE k.id = $id`,
  parameters: { id: text },
  columns: {
    id: text,
    merchantId: uuid,
    environment,
    secretHash: bytea,
    expiresAt: nullable(timestamptz),
    revokedAt: nullable(timestamptz),
    networks: array(text),
    billMax: nullable(int8),
    dayMax: nullable(int8),
    scopes: array(text),
    profileStatus,
    firstId: text,
    uniqueReferences: boolean,
    returnOrigins: array(text),
  },
});

/** Finds a key by its id. Unlike other queries, this one takes no scope, because the key determines the scope of the request. */
export async function findKey(db: Queryable, id: string): Promise<StoredKey | undefined> {
  const key = await SELECT_KEY.first(db, { id });
  return key && { ...key, scopes: readKeyScopes(key.scopes) };
}

/** The scopes and limits of a key. Limits are in senti; null for no limit. */
export interface KeyLimits {
  readonly scopes: readonly KeyScope[];
  /** IP addresses and networks that the key may be used from. Empty if every address is allowed. */
  readonly networks: readonly string[];
  readonly billMax: Senti | null;
  readonly dayMax: Senti | null;
}

const LISTED = {
  id: true,
  label: true,
  createdBy: true,
  createdAt: true,
  lastUsedAt: true,
  lastAddress: true,
  lastRoute: true,
  expiresAt: true,
  revokedAt: true,
  networks: true,
  billMax: true,
  dayMax: true,
  scopes: true,
  replacesId: true,
  firstId: true,
  rolled: { where: { revokedAt: null }, select: { id: true }, orderBy: { createdAt: 'desc' }, take: 1 },
} as const;

export type KeyRow = Pick<ApiKey, Exclude<keyof typeof LISTED, 'rolled' | 'scopes'>> & {
  readonly scopes: readonly KeyScope[];
  readonly replacedById: string | null;
};

/** Converts a selected row of a key. Adds `replacedById`: the id of the newest successor that is not revoked, or null if there is none. */
function readRow<Row>({
  rolled,
  scopes,
  ...row
}: Row & { readonly rolled: readonly { readonly id: string }[]; readonly scopes: readonly string[] }) {
  return { ...row, scopes: readKeyScopes(scopes), replacedById: rolled[0]?.id ?? null };
}

export async function listKeyRows({ prisma }: Connection, { merchantId, environment }: Scope): Promise<KeyRow[]> {
  const rows = await prisma.apiKey.findMany({
    where: { merchantId, environment },
    select: LISTED,
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  });
  return rows.map(readRow);
}

const LOCK_KEY = statement({
  name: 'lock a key',
  text: 'SELECT id FROM api_key WHERE id = $id AND merchant_id = $merchantId AND environment = $environment FOR NO KEY UPDATE',
  parameters: { id: text, merchantId: uuid, environment },
  columns: { id: text },
});

/** Returns a key of a merchant. `lock` locks the key until the transaction ends, so that the caller can change it. */
export async function findScopedKey(
  on: Connection,
  { merchantId, environment }: Scope,
  id: string,
  { lock }: { lock: boolean },
): Promise<KeyRow | undefined> {
  if (lock) await LOCK_KEY.rows(on, { id, merchantId, environment });
  const row = await on.prisma.apiKey.findUnique({ where: { id, merchantId, environment }, select: LISTED });
  return row ? readRow(row) : undefined;
}

type NewKey = KeyChange & Pick<ApiKey, 'id' | 'secretHash' | 'createdBy' | 'createdAt' | 'replacesId' | 'firstId'>;

export async function insertKey({ prisma }: Connection, { merchantId, environment }: Scope, key: NewKey): Promise<void> {
  const data = { ...key, merchantId, environment, networks: [...key.networks], scopes: [...key.scopes] };
  await prisma.apiKey.create({ data, select: { id: true } });
}

export interface KeyChange extends KeyLimits {
  readonly label: string;
  readonly expiresAt: Date | null;
}

export async function updateKey({ prisma }: Connection, id: string, change: KeyChange): Promise<void> {
  await prisma.apiKey.updateMany({ where: { id }, data: { ...change, networks: [...change.networks], scopes: [...change.scopes] } });
}

/** Revokes a key. Returns false if the scope has no such key or it was already revoked. */
export async function markRevoked({ prisma }: Connection, { merchantId, environment }: Scope, id: string, now: Date): Promise<boolean> {
  const { count } = await prisma.apiKey.updateMany({ where: { id, merchantId, environment, revokedAt: null }, data: { revokedAt: now } });
  return count > 0;
}

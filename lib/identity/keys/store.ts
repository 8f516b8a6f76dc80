import { type KeyScope, readKeyScopes } from '@/lib/identity/accounts/key-scopes';
import type { Senti } from '@/lib/platform/core/money';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection } from '@/lib/platform/db/database';
import type { ApiKey } from '@/lib/platform/db/generated/client';
import { apiKey } from '@/lib/platform/db/generated/tables';
import { pick, selectionOf } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { StoredKey } from './rules';

const STORED = {
  ...selectionOf(pick(apiKey, 'id merchantId environment secretHash expiresAt revokedAt networks billMax dayMax scopes firstId')),
  profile: { select: { status: true, uniqueReferences: true, returnOrigins: true } },
} as const;

/**
 * Finds keys by their ids, in the order of the ids. The array contains null for each key that does not exist. Unlike other queries, this one
 * takes no scope, because the key determines the scope of the request.
 */
export async function findKeys({ prisma }: Connection, ids: readonly string[]): Promise<(StoredKey | null)[]> {
  const rows = await prisma.apiKey.findMany({ where: { id: { in: [...ids] } }, select: STORED });
  const keys = new Map(
    rows.map(({ profile: { status, ...profile }, scopes, ...key }) => [
      key.id,
      { ...key, ...profile, profileStatus: status, scopes: readKeyScopes(scopes) },
    ]),
  );
  return ids.map((id) => keys.get(id) ?? null);
}

export async function findKey(db: Connection, id: string): Promise<StoredKey | undefined> {
  return (await findKeys(db, [id]))[0] ?? undefined;
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
  parameters: pick(apiKey, 'id merchantId environment'),
  columns: { id: apiKey.id },
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

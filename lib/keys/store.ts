import type { Senti } from '@/lib/core/money';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { StoredKey } from './rules';

/** The one look-up that is not scoped: it is what finds the scope. */
export async function findKey(db: Queryable, id: string): Promise<StoredKey | undefined> {
  const [key] = await db.query<StoredKey>(
    {
      name: 'select-key',
      text: `SELECT k.id, k.merchant_id AS "merchantId", k.environment, k.secret_hash AS "secretHash", k.expires_at AS "expiresAt",
               k.revoked_at AS "revokedAt", k.networks, k.bill_max AS "billMax", k.day_max AS "dayMax",
               p.status AS "profileStatus", k.first_id AS "firstId", p.unique_references AS "uniqueReferences"
             FROM api_key k JOIN merchant_profile p ON p.merchant_id = k.merchant_id AND p.environment = k.environment
             WHERE k.id = $1`,
    },
    [id],
  );
  return key;
}

/** What a key may do. Senti; null means no limit. */
export interface KeyLimits {
  /** Addresses and networks that it may be used from; none means any. */
  readonly networks: readonly string[];
  readonly billMax: Senti | null;
  readonly dayMax: Senti | null;
}

export interface KeyRow extends KeyLimits {
  readonly id: string;
  readonly label: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly lastAddress: string | null;
  /** `POST bills/create` */
  readonly lastRoute: string | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** The key that this one takes the place of, and the newest that takes this one's. */
  readonly replacesId: string | null;
  readonly replacedById: string | null;
  /** The first key of its line: itself, or the one that was rolled first. */
  readonly firstId: string;
}

const COLUMNS = `k.id, k.label, k.created_by AS "createdBy", k.created_at AS "createdAt", k.last_used_at AS "lastUsedAt", k.last_address AS "lastAddress",
  k.last_route AS "lastRoute", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", k.networks, k.bill_max AS "billMax", k.day_max AS "dayMax",
  k.replaces_id AS "replacesId", k.first_id AS "firstId",
  (SELECT s.id FROM api_key s WHERE s.replaces_id = k.id AND s.revoked_at IS NULL ORDER BY s.created_at DESC LIMIT 1) AS "replacedById"`;

/** @returns a merchant's keys, newest first. */
export async function listKeyRows(db: Queryable, scope: Scope): Promise<KeyRow[]> {
  return db.query<KeyRow>(
    { text: `SELECT ${COLUMNS} FROM api_key k WHERE k.merchant_id = $1 AND k.environment = $2 ORDER BY k.created_at DESC, k.id` },
    [scope.merchantId, scope.environment],
  );
}

/** @param lock for changing it. @returns one key of a merchant's. */
export async function findOwnKey(db: Queryable, scope: Scope, id: string, { lock }: { lock: boolean }): Promise<KeyRow | undefined> {
  const [key] = await db.query<KeyRow>(
    {
      text: `SELECT ${COLUMNS} FROM api_key k WHERE k.id = $1 AND k.merchant_id = $2 AND k.environment = $3 ${lock ? 'FOR NO KEY UPDATE' : ''}`,
    },
    [id, scope.merchantId, scope.environment],
  );
  return key;
}

interface NewKey extends KeyLimits {
  readonly id: string;
  readonly secretHash: Uint8Array;
  readonly label: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly replacesId: string | null;
  readonly firstId: string;
}

export async function insertKey(tx: Queryable, scope: Scope, key: NewKey): Promise<void> {
  await tx.query(
    {
      text: `INSERT INTO api_key (id, merchant_id, environment, secret_hash, label, created_by, created_at, expires_at, networks, bill_max, day_max, replaces_id, first_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    },
    [
      key.id,
      scope.merchantId,
      scope.environment,
      key.secretHash,
      key.label,
      key.createdBy,
      key.createdAt,
      key.expiresAt,
      key.networks,
      key.billMax,
      key.dayMax,
      key.replacesId,
      key.firstId,
    ],
  );
}

/** What can be changed of a key. */
export interface KeyChange extends KeyLimits {
  readonly label: string;
  readonly expiresAt: Date | null;
}

export async function updateKey(tx: Queryable, id: string, { label, expiresAt, networks, billMax, dayMax }: KeyChange): Promise<void> {
  await tx.query({ text: 'UPDATE api_key SET label = $2, expires_at = $3, networks = $4, bill_max = $5, day_max = $6 WHERE id = $1' }, [
    id,
    label,
    expiresAt,
    networks,
    billMax,
    dayMax,
  ]);
}

/** @returns whether a key of this scope was revoked now; false when there is none or it already was. */
export async function markRevoked(tx: Queryable, scope: Scope, id: string, now: Date): Promise<boolean> {
  const rows = await tx.query(
    {
      text: 'UPDATE api_key SET revoked_at = $4 WHERE id = $1 AND merchant_id = $2 AND environment = $3 AND revoked_at IS NULL RETURNING id',
    },
    [id, scope.merchantId, scope.environment, now],
  );
  return rows.length > 0;
}

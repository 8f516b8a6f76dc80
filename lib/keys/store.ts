import type { Scope } from '@/lib/config/runtime';
import type { Database, Queryable } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';
import type { StoredKey } from './rules';

/** The one look-up that is not scoped: it is what finds the scope. */
export async function findKey(db: Queryable, id: string): Promise<StoredKey | undefined> {
  const [key] = await db.query<StoredKey>(
    {
      name: 'select-key',
      text: `SELECT k.id, k.merchant_id AS "merchantId", k.environment, k.secret_hash AS "secretHash", k.expires_at AS "expiresAt",
               k.revoked_at AS "revokedAt", p.status AS "profileStatus", p.unique_references AS "uniqueReferences"
             FROM api_key k JOIN merchant_profile p ON p.merchant_id = k.merchant_id AND p.environment = k.environment
             WHERE k.id = $1`,
    },
    [id],
  );
  return key;
}

/** Notes that a key was used; a no-op while an earlier note is younger than `noEarlierThan`. */
export async function touchKey(db: Queryable, id: string, now: Date, noEarlierThan: Date): Promise<void> {
  await db.query({ text: 'UPDATE api_key SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3)' }, [
    id,
    now,
    noEarlierThan,
  ]);
}

export interface KeyRow {
  readonly id: string;
  readonly label: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

const LISTED = { id: true, label: true, createdBy: true, createdAt: true, lastUsedAt: true, expiresAt: true, revokedAt: true } as const;

export async function listKeyRows(db: Database, scope: Scope): Promise<KeyRow[]> {
  return db.prisma.apiKey.findMany({ where: { ...scope }, select: LISTED, orderBy: { createdAt: 'desc' } });
}

/** One commit with its audit entry: a key that nobody can account for does not come to be. */
export async function insertKey(
  db: Database,
  scope: Scope,
  key: { id: string; secretHash: Uint8Array<ArrayBuffer>; label: string; createdBy: string; createdAt: Date },
  audit: Prisma.AuditEntryCreateInput,
): Promise<void> {
  await db.prisma.$transaction([db.prisma.apiKey.create({ data: { ...scope, ...key } }), db.prisma.auditEntry.create({ data: audit })]);
}

/** @returns whether a key of this scope was revoked now; false when there is none or it already was. */
export async function markRevoked(
  db: Database,
  scope: Scope,
  id: string,
  now: Date,
  audit: Prisma.AuditEntryCreateInput,
): Promise<boolean> {
  return db.prisma.$transaction(async (tx) => {
    const { count } = await tx.apiKey.updateMany({ where: { ...scope, id, revokedAt: null }, data: { revokedAt: now } });
    if (count > 0) await tx.auditEntry.create({ data: audit });
    return count > 0;
  });
}

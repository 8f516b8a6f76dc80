import type { Connection, Queryable } from '@/lib/platform/db/database';
import { secondFactor } from '@/lib/platform/db/generated/tables';
import { int4, pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

interface SecondFactor {
  readonly encryptedSecret: Uint8Array<ArrayBuffer>;
  /** Null while the second factor is being set up. Codes are required only after it is confirmed. */
  readonly confirmedAt: Date | null;
}

export function secondFactorContext(userId: string): string {
  return `second-factor:${userId}`;
}

export async function findSecondFactor({ prisma }: Connection, userId: string): Promise<SecondFactor | null> {
  return prisma.secondFactor.findUnique({ where: { userId }, select: { encryptedSecret: true, confirmedAt: true } });
}

const BEGIN_SECOND_FACTOR = statement({
  name: 'begin a second factor',
  text: `INSERT INTO second_factor (user_id, encrypted_secret, created_at) VALUES ($userId, $encryptedSecret, $now)
         ON CONFLICT (user_id) DO UPDATE SET encrypted_secret = $encryptedSecret, created_at = $now WHERE second_factor.confirmed_at IS NULL
         RETURNING 1 AS begun`,
  parameters: { ...pick(secondFactor, 'userId encryptedSecret'), now: timestamptz },
  columns: { begun: int4 },
});

/**
 * Starts the setup of a second factor, or starts it again. Returns false if the user already has a confirmed second factor, which then
 * stays.
 */
export async function beginSecondFactor(on: Queryable, userId: string, encryptedSecret: Uint8Array, now: Date): Promise<boolean> {
  return (await BEGIN_SECOND_FACTOR.first(on, { userId, encryptedSecret, now })) !== undefined;
}

/** Deletes a user's second factor and recovery codes. Returns false if there was no second factor. */
export async function deleteSecondFactor({ prisma }: Connection, userId: string): Promise<boolean> {
  await prisma.recoveryCode.deleteMany({ where: { userId } });
  const { count } = await prisma.secondFactor.deleteMany({ where: { userId } });
  return count > 0;
}

/** Deletes all recovery codes of a user and inserts new ones. */
export async function replaceRecoveryCodes(
  { prisma }: Connection,
  userId: string,
  hashes: readonly Uint8Array<ArrayBuffer>[],
  now: Date,
): Promise<void> {
  await prisma.recoveryCode.deleteMany({ where: { userId } });
  await prisma.recoveryCode.createMany({ data: hashes.map((codeHash) => ({ userId, codeHash, createdAt: now })) });
}

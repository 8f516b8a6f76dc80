import type { Connection, Queryable } from '@/lib/db/database';
import { bytes, int4, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

interface SecondFactor {
  readonly encryptedSecret: Uint8Array<ArrayBuffer>;
  /** Null while it is being set up: nobody is asked for a code yet. */
  readonly confirmedAt: Date | null;
}

/** What the secret is encrypted for. */
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
  parameters: { userId: uuid, encryptedSecret: bytes, now: timestamptz },
  columns: { begun: int4 },
});

/** Begins to set one up, or begins again. @returns false when one is on already: it stays. */
export async function beginSecondFactor(on: Queryable, userId: string, encryptedSecret: Uint8Array, now: Date): Promise<boolean> {
  return (await BEGIN_SECOND_FACTOR.first(on, { userId, encryptedSecret, now })) !== undefined;
}

interface Confirmation {
  readonly userId: string;
  readonly encryptedSecret: Uint8Array<ArrayBuffer>;
  readonly step: number;
  readonly now: Date;
}

/** Switches on the one that was being set up with this secret. @param step of the code that confirmed it. @returns false when it was none. */
export async function confirmSecondFactor({ prisma }: Connection, { userId, encryptedSecret, step, now }: Confirmation): Promise<boolean> {
  const { count } = await prisma.secondFactor.updateMany({
    where: { userId, encryptedSecret, confirmedAt: null },
    data: { confirmedAt: now, lastStep: step },
  });
  return count > 0;
}

/** Uses up a code's time step, with all before it. @returns false when a code of it, or of a later one, was accepted before. */
export async function spendStep({ prisma }: Connection, userId: string, step: number): Promise<boolean> {
  const { count } = await prisma.secondFactor.updateMany({
    where: { userId, confirmedAt: { not: null }, OR: [{ lastStep: null }, { lastStep: { lt: step } }] },
    data: { lastStep: step },
  });
  return count > 0;
}

/** Switches it off, with its recovery codes. @returns false when there was none. */
export async function deleteSecondFactor({ prisma }: Connection, userId: string): Promise<boolean> {
  await prisma.recoveryCode.deleteMany({ where: { userId } });
  const { count } = await prisma.secondFactor.deleteMany({ where: { userId } });
  return count > 0;
}

/** New recovery codes in the place of all that there were. */
export async function replaceRecoveryCodes(
  { prisma }: Connection,
  userId: string,
  hashes: readonly Uint8Array<ArrayBuffer>[],
  now: Date,
): Promise<void> {
  await prisma.recoveryCode.deleteMany({ where: { userId } });
  await prisma.recoveryCode.createMany({ data: hashes.map((codeHash) => ({ userId, codeHash, createdAt: now })) });
}

/** Uses up a recovery code. @returns false when there is none such, or it was used before. */
export async function spendRecoveryCode(
  { prisma }: Connection,
  userId: string,
  codeHash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<boolean> {
  const { count } = await prisma.recoveryCode.updateMany({ where: { userId, codeHash, usedAt: null }, data: { usedAt: now } });
  return count > 0;
}

export async function countRecoveryCodes({ prisma }: Connection, userId: string): Promise<number> {
  return prisma.recoveryCode.count({ where: { userId, usedAt: null } });
}

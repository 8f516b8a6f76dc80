import type { Queryable } from '@/lib/db/database';

interface SecondFactor {
  readonly encryptedSecret: Uint8Array;
  /** Null while it is being set up: nobody is asked for a code yet. */
  readonly confirmedAt: Date | null;
}

/** What the secret is encrypted for. */
export function secondFactorContext(userId: string): string {
  return `second-factor:${userId}`;
}

export async function findSecondFactor(on: Queryable, userId: string): Promise<SecondFactor | null> {
  const [row] = await on.query<SecondFactor>(
    { text: 'SELECT encrypted_secret AS "encryptedSecret", confirmed_at AS "confirmedAt" FROM second_factor WHERE user_id = $1' },
    [userId],
  );
  return row ?? null;
}

/** Begins to set one up, or begins again. @returns false when one is on already: it stays. */
export async function beginSecondFactor(on: Queryable, userId: string, encryptedSecret: Uint8Array, now: Date): Promise<boolean> {
  const rows = await on.query(
    {
      text: `INSERT INTO second_factor (user_id, encrypted_secret, created_at) VALUES ($1, $2, $3)
             ON CONFLICT (user_id) DO UPDATE SET encrypted_secret = $2, created_at = $3 WHERE second_factor.confirmed_at IS NULL
             RETURNING 1 AS begun`,
    },
    [userId, encryptedSecret, now],
  );
  return rows.length > 0;
}

/** Switches on the one that was being set up with this secret. @param step of the code that confirmed it. @returns false when it was none. */
export async function confirmSecondFactor(
  on: Queryable,
  { userId, encryptedSecret, step, now }: { userId: string; encryptedSecret: Uint8Array; step: number; now: Date },
): Promise<boolean> {
  const rows = await on.query(
    {
      text: `UPDATE second_factor SET confirmed_at = $3, last_step = $4
             WHERE user_id = $1 AND encrypted_secret = $2 AND confirmed_at IS NULL RETURNING 1 AS confirmed`,
    },
    [userId, encryptedSecret, now, step],
  );
  return rows.length > 0;
}

/** Uses up a code's time step, with all before it. @returns false when a code of it, or of a later one, was accepted before. */
export async function spendStep(on: Queryable, userId: string, step: number): Promise<boolean> {
  const rows = await on.query(
    {
      text: `UPDATE second_factor SET last_step = $2
             WHERE user_id = $1 AND confirmed_at IS NOT NULL AND (last_step IS NULL OR last_step < $2) RETURNING 1 AS spent`,
    },
    [userId, step],
  );
  return rows.length > 0;
}

/** Switches it off, with its recovery codes. @returns false when there was none. */
export async function deleteSecondFactor(on: Queryable, userId: string): Promise<boolean> {
  await on.query({ text: 'DELETE FROM recovery_code WHERE user_id = $1' }, [userId]);
  const rows = await on.query({ text: 'DELETE FROM second_factor WHERE user_id = $1 RETURNING 1 AS gone' }, [userId]);
  return rows.length > 0;
}

/** New recovery codes in the place of all that there were. */
export async function replaceRecoveryCodes(on: Queryable, userId: string, hashes: readonly Uint8Array[], now: Date): Promise<void> {
  await on.query({ text: 'DELETE FROM recovery_code WHERE user_id = $1' }, [userId]);
  await on.query(
    { text: 'INSERT INTO recovery_code (user_id, code_hash, created_at) SELECT $1, hash, $3 FROM unnest($2::bytea[]) AS hash' },
    [userId, hashes, now],
  );
}

/** Uses up a recovery code. @returns false when there is none such, or it was used before. */
export async function spendRecoveryCode(on: Queryable, userId: string, codeHash: Uint8Array, now: Date): Promise<boolean> {
  const rows = await on.query(
    { text: 'UPDATE recovery_code SET used_at = $3 WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL RETURNING 1 AS spent' },
    [userId, codeHash, now],
  );
  return rows.length > 0;
}

export async function countRecoveryCodes(on: Queryable, userId: string): Promise<number> {
  const [row] = await on.query<{ left: bigint }>(
    { text: 'SELECT count(*) AS left FROM recovery_code WHERE user_id = $1 AND used_at IS NULL' },
    [userId],
  );
  return Number(row?.left ?? 0n);
}

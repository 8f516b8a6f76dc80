import { createHmac } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Secrets } from '@/lib/platform/config/secrets';
import type { Random } from '@/lib/platform/core/clock';
import type { Connection } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findSecondFactor, secondFactorContext } from './second-factor-store';

export type CodeKind = 'app' | 'recovery';

/** Pure. Returns the kind of a typed code. Six digits are a code of the app. */
export function codeKind(code: string): CodeKind {
  return /^\d{6}$/.test(readCode(code)) ? 'app' : 'recovery';
}

/**
 * Checks a code of the user's app, or a recovery code, and uses it up. Refuses a second use, even at the same moment. Runs in the
 * transaction of the action that needs the code. Returns the kind of the code, or null if it is wrong.
 */
export async function spendCode(
  runtime: Pick<Runtime, 'secrets' | 'clock'>,
  { userId, code }: { readonly userId: string; readonly code: string },
  tx: Connection,
): Promise<CodeKind | null> {
  const factor = await findSecondFactor(tx, userId);
  if (!factor?.confirmedAt) return null;
  const typed = readCode(code);
  const now = runtime.clock();
  if (codeKind(typed) === 'app') {
    const step = matchTotp(runtime.secrets.decrypt(factor.encryptedSecret, secondFactorContext(userId)), typed, now);
    if (step === null) return null;
    // Uses up the code's time step and all earlier ones.
    const { count } = await tx.prisma.secondFactor.updateMany({
      where: { userId, confirmedAt: { not: null }, OR: [{ lastStep: null }, { lastStep: { lt: step } }] },
      data: { lastStep: step },
    });
    return count > 0 ? 'app' : null;
  }
  const codeHash = hashRecoveryCode(runtime, typed);
  const { count } = await tx.prisma.recoveryCode.updateMany({ where: { userId, codeHash, usedAt: null }, data: { usedAt: now } });
  return count > 0 ? 'recovery' : null;
}

const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** A phone's clock may be fast or slow by one time step of 30 seconds (RFC 6238, 5.2). */
const DRIFT_STEPS = 1;

/** Returns a new secret for an app, in base32, with the 160 bits that RFC 4226 recommends. */
export function makeTotpSecret(random: Random): string {
  return new Secret({ buffer: new Uint8Array(random(SECRET_BYTES)).buffer }).base32;
}

/** Returns the URI that an app reads from the QR code. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({ issuer: 'Bili', label: email, secret, period: PERIOD_SECONDS }).toString();
}

/** Returns the time step that a code belongs to, or null if the code is not valid now. */
export function matchTotp(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(secret), timestamp, window: DRIFT_STEPS, period: PERIOD_SECONDS });
  return delta === null ? null : TOTP.counter({ timestamp, period: PERIOD_SECONDS }) + delta;
}

export const RECOVERY_CODES = 10;
// Crockford's base 32 contains no characters that look alike.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 12;

/** Returns new recovery codes with 60 random bits each, such as `7Q4M-0XKT-9B2C`. */
export function makeRecoveryCodes(random: Random): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const text = Array.from(random(LENGTH), (byte) => ALPHABET[byte % 32]).join('');
    return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`;
  });
}

/** Returns the keyed hash of a recovery code. The key is not in the database, because 60 bits alone could be found by brute force. */
export function hashRecoveryCode({ secrets }: { readonly secrets: Pick<Secrets, 'key'> }, code: string): Uint8Array<ArrayBuffer> {
  const read = readCode(code).replaceAll('O', '0').replace(/[IL]/g, '1');
  return new Uint8Array(createHmac('sha256', secrets.key('recovery-code')).update(read).digest());
}

/** Returns a typed code without spaces and hyphens, in upper case. */
export function readCode(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase();
}

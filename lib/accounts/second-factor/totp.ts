import { Secret, TOTP } from 'otpauth';
import type { Random } from '@/lib/core/clock';

const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** A phone's clock may be one step off, either way (RFC 6238, 5.2). */
const DRIFT_STEPS = 1;

/** Pure but for the random bytes. @returns a secret for an app, in base32, with the 160 bits that RFC 4226 asks for. */
export function makeTotpSecret(random: Random): string {
  return new Secret({ buffer: new Uint8Array(random(SECRET_BYTES)).buffer }).base32;
}

/** @returns the address that an app reads from the QR code. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({ issuer: 'Bili', label: email, secret, period: PERIOD_SECONDS }).toString();
}

/** @returns the time step whose code this is, or null when it is none of those that count now. */
export function matchTotp(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(secret), timestamp, window: DRIFT_STEPS, period: PERIOD_SECONDS });
  return delta === null ? null : TOTP.counter({ timestamp, period: PERIOD_SECONDS }) + delta;
}

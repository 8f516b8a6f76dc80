import { Secret, TOTP } from 'otpauth';
import type { Random } from '@/lib/core/clock';

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

import { createHmac } from 'node:crypto';
import type { Secrets } from '@/lib/config/secrets';
import type { Random } from '@/lib/core/clock';

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

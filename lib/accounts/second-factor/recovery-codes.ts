import { createHmac } from 'node:crypto';
import type { Secrets } from '@/lib/config/secrets';
import type { Random } from '@/lib/core/clock';

export const RECOVERY_CODES = 10;
// Crockford's base 32: nothing in it looks like something else.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 12;

/** @returns codes to write down, 60 random bits each: `7Q4M-0XKT-9B2C`. */
export function makeRecoveryCodes(random: Random): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const text = Array.from(random(LENGTH), (byte) => ALPHABET[byte % 32]).join('');
    return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`;
  });
}

/** @returns what is stored of a code: with a key that is not in the database, for 60 bits alone could be tried out. */
export function hashRecoveryCode({ secrets }: { readonly secrets: Pick<Secrets, 'key'> }, code: string): Uint8Array<ArrayBuffer> {
  const read = readCode(code).replaceAll('O', '0').replace(/[IL]/g, '1');
  return new Uint8Array(createHmac('sha256', secrets.key('recovery-code')).update(read).digest());
}

/** @returns a code as it was typed, without what people put between its characters. */
export function readCode(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase();
}

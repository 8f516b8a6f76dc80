import type { KeyWishes } from '@/lib/keys/key-wishes';

/** The form values of a key and the error. */
export interface KeyForm {
  readonly kind: 'form';
  readonly typed: KeyWishes;
  /** `field` is null if the error concerns the whole form. */
  readonly problem: { readonly field: keyof KeyWishes | null; readonly text: string } | null;
}

/** A created key. Only this answer contains the secret: no address, cookie or database row does. */
export interface MadeKey {
  readonly kind: 'made';
  readonly keyId: string;
  readonly secret: string;
  readonly curl: string;
  /** What happens to the key that it replaces. */
  readonly note: string | null;
}

export const NOTHING_TYPED: KeyWishes = { label: '', expiry: 'never', expiryDay: '', networks: '', billMax: '', dayMax: '' };

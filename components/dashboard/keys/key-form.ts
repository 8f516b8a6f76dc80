import type { KeyWishes } from '@/lib/keys/key-wishes';

/** A form about a key as it stands: what is typed in it, and what is wrong with that. */
export interface KeyForm {
  readonly kind: 'form';
  readonly typed: KeyWishes;
  /** `field` is null for what concerns the whole form. */
  readonly problem: { readonly field: keyof KeyWishes | null; readonly text: string } | null;
}

/** A key that was made. The secret lives in this answer alone: not in an address, a cookie or the database. */
export interface MadeKey {
  readonly kind: 'made';
  readonly keyId: string;
  readonly secret: string;
  readonly curl: string;
  /** What becomes of the key that it takes the place of. */
  readonly note: string | null;
}

export const NOTHING_TYPED: KeyWishes = { label: '', expiry: 'never', expiryDay: '', networks: '', billMax: '', dayMax: '' };

import type { KeyFormValues } from '@/lib/keys/key-form';

/** The form values of a key and the error. */
export interface KeyForm {
  readonly kind: 'form';
  readonly typed: KeyFormValues;
  /** `field` is null if the error concerns the whole form. */
  readonly problem: { readonly field: keyof KeyFormValues | null; readonly text: string } | null;
}

/** A created key. Only this answer contains the secret: no address, cookie or database row does. */
export interface CreatedKey {
  readonly kind: 'created';
  readonly keyId: string;
  readonly secret: string;
  readonly curl: string;
  /** What happens to the key that it replaces. */
  readonly note: string | null;
}

export const NOTHING_TYPED: KeyFormValues = { label: '', expiry: 'never', expiryDay: '', networks: '', billMax: '', dayMax: '' };

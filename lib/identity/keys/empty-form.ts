import { USUAL_KEY_SCOPES } from '@/lib/identity/accounts/key-scopes';
import type { KeyFormValues } from './key-form';

/** The values of the form for a new key before anybody has typed: all scopes and no limits. */
export const EMPTY_KEY_FORM: KeyFormValues = {
  label: '',
  expiry: 'never',
  expiryDay: '',
  scopes: USUAL_KEY_SCOPES.join(' '),
  networks: '',
  billMax: '',
  dayMax: '',
};

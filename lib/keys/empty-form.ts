import { KEY_SCOPES } from '@/lib/accounts/key-scopes';
import type { KeyFormValues } from './key-form';

/** The values of the form for a new key before anybody has typed: all scopes and no limits. */
export const EMPTY_KEY_FORM: KeyFormValues = {
  label: '',
  expiry: 'never',
  expiryDay: '',
  scopes: KEY_SCOPES.join(' '),
  networks: '',
  billMax: '',
  dayMax: '',
};

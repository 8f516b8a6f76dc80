import { enumType } from '@/lib/db/sql-types';
import { ATTEMPT_STATES } from './state';

export const attemptState = enumType('attempt_state', ATTEMPT_STATES);
export const attemptSource = enumType('attempt_source', ['api', 'web', 'dashboard']);
export const paymentKind = enumType('payment_kind', ['payment', 'reversal', 'correction']);

import { DAY_MS } from '@/lib/platform/core/clock';

export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 1_000;

/** Why a password is not accepted. */
export type PasswordProblem = 'too_short' | 'too_long' | 'too_common' | 'too_personal';

/** How long a password works that a command printed. Then the person needs a link to set another one. */
export const PRINTED_PASSWORD_MS = 3 * DAY_MS;

export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 1_000;

/** Why a password is not accepted. */
export type PasswordProblem = 'too_short' | 'too_long' | 'too_common' | 'too_personal';

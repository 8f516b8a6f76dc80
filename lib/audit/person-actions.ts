/** What people do that belongs to no merchant: each merchant's owners see it of their members, from the day they became one. */
export const PERSON_ACTIONS: readonly string[] = [
  'sign-in',
  'sign-in.refused',
  'sign-in.code-due',
  'sign-in.code-refused',
  'sign-out',
  'identity.proven',
  'identity.refused',
  'password.changed',
  'password.reset-link',
  'password.reset',
  'second-factor.on',
  'second-factor.off',
  'second-factor.removed',
  'recovery-codes.renewed',
  'email.asked',
  'email.changed',
];

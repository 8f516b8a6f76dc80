/** Account actions, which belong to no merchant. The owners of a merchant see them for its members, since the day each member joined. */
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

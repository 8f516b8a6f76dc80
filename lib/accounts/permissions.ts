export const ROLES = ['owner', 'admin', 'viewer', 'collector'] as const;
export type Role = (typeof ROLES)[number];

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

const EVERYBODY = ROLES;
const OFFICE: readonly Role[] = ['owner', 'admin', 'viewer'];
const MANAGERS: readonly Role[] = ['owner', 'admin'];

/** Who may do what. A collector works at a till or a door: makes bills and sees those, and nothing else. */
const ALLOWED = {
  'overview.view': OFFICE,
  /** A collector's own; everybody's for everybody else. */
  'bills.view': EVERYBODY,
  'bills.create': ['owner', 'admin', 'collector'],
  /** Close, reopen, ask again, release. */
  'bills.change': MANAGERS,
  'bills.note': MANAGERS,
  'bills.export': OFFICE,
  /** What providers said, as they said it. */
  'messages.view': MANAGERS,
  'webhooks.view': OFFICE,
  'webhooks.change': MANAGERS,
  'keys.view': OFFICE,
  'keys.change': MANAGERS,
  'team.view': OFFICE,
  /** Only an owner may make, change or remove owners and admins. */
  'team.change': MANAGERS,
  'settings.view': OFFICE,
  'settings.change': MANAGERS,
  'audit.view': MANAGERS,
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Permission = keyof typeof ALLOWED;

export const PERMISSIONS = Object.keys(ALLOWED).filter((name): name is Permission => name in ALLOWED);

/** Pure. @returns whether a role may do something. */
export function roleMay(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = ALLOWED[permission];
  return roles.includes(role);
}

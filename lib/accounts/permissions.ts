import type { KeyScope } from './key-scopes';

export const ROLES = ['owner', 'admin', 'viewer', 'collector'] as const;
export type Role = (typeof ROLES)[number];

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

const EVERYBODY = ROLES;
const OFFICE: readonly Role[] = ['owner', 'admin', 'viewer'];
const MANAGERS: readonly Role[] = ['owner', 'admin'];

/**
 * The roles that have each permission. Collectors work at a counter: they create bills, see only the bills that they created, and may do
 * nothing else.
 */
const ALLOWED = {
  'overview.view': OFFICE,
  /** Collectors see the bills that they created. Other roles see all bills. */
  'bills.view': EVERYBODY,
  'bills.create': ['owner', 'admin', 'collector'],
  /** Create bills from a file, and see the imports of all members. */
  'bills.import': MANAGERS,
  /** Take money at the counter: create bills, send payment requests for these bills again, and close one's own shift. */
  'counter.use': ['owner', 'admin', 'collector'],
  /** Close and reopen a bill, create another attempt, release an attempt. */
  'bills.change': MANAGERS,
  'bills.note': MANAGERS,
  'bills.export': OFFICE,
  /** Provider messages, as they were received. */
  'messages.view': MANAGERS,
  'webhooks.view': OFFICE,
  'webhooks.change': MANAGERS,
  'keys.view': OFFICE,
  'keys.change': MANAGERS,
  'team.view': OFFICE,
  /** Only an owner may invite, change or remove owners and admins. */
  'team.change': MANAGERS,
  'settings.view': OFFICE,
  'settings.change': MANAGERS,
  'audit.view': MANAGERS,
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Permission = keyof typeof ALLOWED;

export const PERMISSIONS = Object.keys(ALLOWED).filter((name): name is Permission => name in ALLOWED);

/** The permissions of each scope of an API key. `events` needs no permission: the route of the event feed checks only the scope. */
const KEY_PERMISSIONS: Readonly<Record<KeyScope, readonly Permission[]>> = {
  create: ['bills.create', 'bills.change'],
  read: ['bills.view'],
  events: [],
};

export function keyMay(scopes: readonly KeyScope[], permission: Permission): boolean {
  return scopes.some((scope) => KEY_PERMISSIONS[scope].includes(permission));
}

export function roleMay(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = ALLOWED[permission];
  return roles.includes(role);
}

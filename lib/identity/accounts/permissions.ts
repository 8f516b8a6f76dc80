import type { KeyScope } from './key-scopes';

export const ROLES = ['owner', 'admin', 'viewer', 'collector'] as const;
export type Role = (typeof ROLES)[number];

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

const EVERYBODY = ROLES;
const OFFICE: readonly Role[] = ['owner', 'admin', 'viewer'];
const MANAGERS: readonly Role[] = ['owner', 'admin'];

/** What a second factor protects: what belongs to the merchant as a whole, or to one of its environments. */
export type Protected = 'merchant' | 'environment';

interface Rule {
  readonly roles: readonly Role[];
  /** Whether members need a second factor for it, where one is required. Null for what only shows data, and for what `NO_FACTOR` explains. */
  readonly factor: Protected | null;
}

/**
 * Who may create bills and take money needs no second factor: a collector creates bills all day, and an API key creates them without a
 * person. A note changes nothing.
 */
const NO_FACTOR = null;

/** A permission that only shows data. */
function view(roles: readonly Role[]) {
  return { roles, factor: null } satisfies Rule;
}

/**
 * The roles that have each permission. Collectors work at a counter: they create bills, see only the bills that they created, and may do
 * nothing else.
 */
const RULES = {
  'overview.view': view(OFFICE),
  /** Collectors see the bills that they created. Other roles see all bills. */
  'bills.view': view(EVERYBODY),
  'bills.create': { roles: ['owner', 'admin', 'collector'], factor: NO_FACTOR },
  /** Create bills from a file, and see the imports of all members. */
  'bills.import': { roles: MANAGERS, factor: NO_FACTOR },
  /** Take money at the counter: create bills, send payment requests for these bills again, and close one's own shift. */
  'counter.use': { roles: ['owner', 'admin', 'collector'], factor: NO_FACTOR },
  /** Close and reopen a bill, create another attempt, release an attempt. */
  'bills.change': { roles: MANAGERS, factor: 'environment' },
  'refunds.view': view(OFFICE),
  /** Ask for refunds, approve those that others have asked for, and record that money was returned by hand. */
  'refunds.change': { roles: MANAGERS, factor: 'environment' },
  /** Record money that people received, and correct such payments. Cashiers may record cash at the counter if the merchant allows it. */
  'payments.record': { roles: MANAGERS, factor: 'environment' },
  'bills.note': { roles: MANAGERS, factor: NO_FACTOR },
  'bills.export': view(OFFICE),
  /** Provider messages, as they were received. */
  'messages.view': view(MANAGERS),
  'webhooks.view': view(OFFICE),
  'webhooks.change': { roles: MANAGERS, factor: 'environment' },
  'keys.view': view(OFFICE),
  'keys.change': { roles: MANAGERS, factor: 'environment' },
  'team.view': view(OFFICE),
  /** Only an owner may invite, change or remove owners and admins. */
  'team.change': { roles: MANAGERS, factor: 'merchant' },
  'settings.view': view(OFFICE),
  'settings.change': { roles: MANAGERS, factor: 'merchant' },
  'audit.view': view(MANAGERS),
} as const satisfies Readonly<Record<string, Rule>>;

export type Permission = keyof typeof RULES;

export const PERMISSIONS = Object.keys(RULES).filter((name): name is Permission => name in RULES);

/** The permissions of each scope of an API key. `events` needs no permission: the route of the event feed checks only the scope. */
const KEY_PERMISSIONS: Readonly<Record<KeyScope, readonly Permission[]>> = {
  create: ['bills.create', 'bills.change'],
  read: ['bills.view', 'refunds.view'],
  events: [],
  refund: ['refunds.change'],
  record: ['payments.record'],
};

export function keyMay(scopes: readonly KeyScope[], permission: Permission): boolean {
  return scopes.some((scope) => KEY_PERMISSIONS[scope].includes(permission));
}

export function roleMay(role: Role, permission: Permission): boolean {
  const { roles }: Rule = RULES[permission];
  return roles.includes(role);
}

/** Returns what a second factor protects with a permission, or null if the permission needs none. */
export function protectedBy(permission: Permission): Protected | null {
  return RULES[permission].factor;
}

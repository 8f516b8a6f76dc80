import { type Role, roleMay } from '@/lib/identity/accounts/permissions';

export type TeamProblem =
  | 'not_allowed'
  | 'second_factor_due'
  | 'not_proven'
  | 'owners_only'
  | 'last_owner'
  | 'cashier_only'
  | 'no_such_member';

interface TeamChange {
  /** The role of the member who makes the change. */
  readonly actor: Role;
  /** Whether members change their own membership. */
  readonly self: boolean;
  readonly from: Role;
  /** The new role. Null removes the member. */
  readonly to: Role | null;
  readonly owners: number;
}

/** Pure. Returns why a change is not allowed, or null. Every member may leave, but a merchant always keeps at least one owner. */
export function changeProblem({ actor, self, from, to, owners }: TeamChange): TeamProblem | null {
  const leaves = self && to === null;
  if (!leaves && !roleMay(actor, 'team.change')) return 'not_allowed';
  if (!leaves && !mayAssign(actor, from)) return 'owners_only';
  if (to !== null && !mayAssign(actor, to)) return 'owners_only';
  return from === 'owner' && to !== 'owner' && owners <= 1 ? 'last_owner' : null;
}

/**
 * Pure. Returns whether an actor may give others this role or change members who have it. For the roles owner and admin, only owners may.
 */
export function mayAssign(actor: Role, role: Role): boolean {
  return actor === 'owner' || (roleMay(actor, 'team.change') && role !== 'owner' && role !== 'admin');
}

/** Pure. Returns why a user may not invite with this role or change such an invitation, or null. `team` is the team as it is now. */
export function inviteProblem(
  team: readonly { readonly userId: string; readonly role: Role }[],
  userId: string,
  role: Role,
): 'not_allowed' | 'owners_only' | null {
  const actor = team.find((one) => one.userId === userId);
  if (!actor || !roleMay(actor.role, 'team.change')) return 'not_allowed';
  return mayAssign(actor.role, role) ? null : 'owners_only';
}

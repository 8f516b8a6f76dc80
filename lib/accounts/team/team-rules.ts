import { type Role, roleMay } from '@/lib/accounts/permissions';

/** Why a team stays as it is. */
export type TeamProblem = 'not_allowed' | 'second_factor_due' | 'not_proven' | 'owners_only' | 'last_owner' | 'no_such_member';

interface TeamChange {
  /** The role of whoever acts. */
  readonly actor: Role;
  /** Whether they act on themselves. */
  readonly self: boolean;
  readonly from: Role;
  /** Null for somebody who goes. */
  readonly to: Role | null;
  readonly owners: number;
}

/** Pure. @returns why this may not be done to a member, or null. Everybody may go; nobody leaves a merchant without an owner. */
export function changeProblem({ actor, self, from, to, owners }: TeamChange): TeamProblem | null {
  const leaves = self && to === null;
  if (!leaves && !roleMay(actor, 'team.change')) return 'not_allowed';
  if (!leaves && !mayGive(actor, from)) return 'owners_only';
  if (to !== null && !mayGive(actor, to)) return 'owners_only';
  return from === 'owner' && to !== 'owner' && owners <= 1 ? 'last_owner' : null;
}

/** Pure. @returns whether somebody may make others this, or change those who are: owners and admins are the owners' business alone. */
export function mayGive(actor: Role, role: Role): boolean {
  return actor === 'owner' || (roleMay(actor, 'team.change') && role !== 'owner' && role !== 'admin');
}

/** Pure. @returns why somebody, as their team has them now, may not invite others as this or take that back; null when they may. */
export function inviteProblem(
  team: readonly { readonly userId: string; readonly role: Role }[],
  userId: string,
  role: Role,
): 'not_allowed' | 'owners_only' | null {
  const actor = team.find((one) => one.userId === userId);
  if (!actor || !roleMay(actor.role, 'team.change')) return 'not_allowed';
  return mayGive(actor.role, role) ? null : 'owners_only';
}

import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { type ListedDevice, listDevices } from '@/lib/accounts/cashier-store';
import { type ListedMember, listMembers } from '@/lib/accounts/team-store';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import { type InvitationState, invitationState } from './invitation-rules';
import { type ListedInvitation, listInvitations } from './invitation-store';

export type MemberView = ListedMember;

export interface TeamView {
  readonly members: readonly MemberView[];
  /** The devices on which cashiers sign in with a PIN. */
  readonly devices: readonly ListedDevice[];
  /** Pending invitations. */
  readonly invitations: readonly (ListedInvitation & { readonly state: InvitationState })[];
}

/** Returns the members and pending invitations of a merchant's team. Returns null if the role may not see them. */
export async function listTeam({ db, clock }: ReadRuntime, access: MerchantAccess): Promise<TeamView | null> {
  if (!may(access, 'team.view')) return null;
  const { merchantId } = access.scope;
  const [members, invitations, devices] = await Promise.all([
    listMembers(db, merchantId),
    listInvitations(db, merchantId),
    listDevices(db, merchantId),
  ]);
  const now = clock();
  return { members, devices, invitations: invitations.map((one) => ({ ...one, state: invitationState(one, now) })) };
}

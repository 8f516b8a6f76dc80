import { fail, type Result } from '@/lib/core/result';
import { isProven, type MerchantAccess, may } from './grant-access';
import { type Invited, type InviteProblem, type InviteRuntime, inviteMember } from './invite-member';
import type { Role } from './permissions';
import { mayGive } from './team-rules';

interface InviteOwnMemberOptions {
  readonly email: string;
  readonly role: Role;
  readonly address: string | null;
}

/** A member invites a person to the own merchant's team; owners and admins only an owner. */
export async function inviteOwnMember(
  runtime: InviteRuntime,
  access: MerchantAccess,
  { email, role, address }: InviteOwnMemberOptions,
): Promise<Result<Invited, InviteProblem | 'not_allowed' | 'not_proven' | 'owners_only'>> {
  if (!may(access, 'team.change')) return fail('not_allowed');
  if (!isProven(access, runtime.clock())) return fail('not_proven');
  if (!mayGive(access.role, role)) return fail('owners_only');
  const { merchantId } = access.scope;
  return inviteMember(runtime, { merchantId, email, role, actor: `user:${access.user.email}`, address, mail: true });
}

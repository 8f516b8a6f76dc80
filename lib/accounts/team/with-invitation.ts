import { type AccessRefusal, authorize, isProven, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { lockTeam } from '@/lib/accounts/team-store';
import { isUuid } from '@/lib/core/ids';
import { fail, type Result } from '@/lib/core/result';
import type { Connection } from '@/lib/db/database';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import { type FoundInvitation, lockInvitation } from './invitation-store';
import { inviteProblem } from './team-rules';

export type InvitationProblem = AccessRefusal | 'not_proven' | 'owners_only' | 'no_such_invitation';

/**
 * Locks a pending invitation and runs `act` on it in one transaction. The actor's role is read under the team lock, so that a
 * member who was just demoted cannot act.
 */
export async function withInvitation<T, E>(
  { db, clock }: ReadRuntime,
  access: MerchantAccess,
  id: string,
  act: (tx: Connection, found: FoundInvitation) => Promise<Result<T, E>>,
): Promise<Result<T, E | InvitationProblem>> {
  const refusal = authorize(access, 'team.change');
  if (refusal) return fail(refusal);
  if (!isProven(access, clock())) return fail('not_proven');
  if (!isUuid(id)) return fail('no_such_invitation');
  const { merchantId } = access.scope;
  return db.transaction(async (tx) => {
    const team = await lockTeam(tx, merchantId);
    const found = await lockInvitation(tx, merchantId, id);
    if (!found) return fail('no_such_invitation');
    const problem = inviteProblem(team, access.user.id, found.role);
    if (!problem) return act(tx, found);
    access.refused?.('team.change', 'not_allowed');
    return fail(problem);
  });
}

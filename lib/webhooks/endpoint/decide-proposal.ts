import { type Access, type AccessRefusal, authorize } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { NotifyRuntime, WriteRuntime } from '@/lib/runtime/runtime';
import { lockEndpoint } from './endpoint-store';
import { decideProposal, deleteOpenProposal } from './proposal-store';
import { setEndpoint } from './set-endpoint';

/**
 * Sets the address that a member proposed. Only the operator may do this.
 * @param url the address that the operator approves. Fails if it is not the address of the open proposal: a member may have proposed
 *   another one meanwhile.
 */
export async function approveProposal(runtime: NotifyRuntime, access: Access, url: string): ReturnType<typeof setEndpoint> {
  if (access.role !== null) return fail('not_allowed');
  return setEndpoint(runtime, access, url, { onlyIfProposed: true });
}

/** Refuses the open proposal of an address. Only the operator may do this. @param reason is shown to the merchant. */
export async function refuseProposal(
  runtime: WriteRuntime,
  access: Access,
  { url: given, reason }: { readonly url: string; readonly reason: string },
): Promise<Result<null, AccessRefusal | 'not_proposed'>> {
  if (access.role !== null) return fail('not_allowed');
  const { scope, actor } = access;
  const url = URL.parse(given)?.href ?? given;
  return runtime.db.transaction(async (tx) => {
    const { id } = await lockEndpoint(tx, scope);
    const decision = { state: 'refused', decidedAt: runtime.clock(), refusalReason: reason } as const;
    if (!(await decideProposal(tx, scope, url, decision))) return fail('not_proposed');
    const data = { after: url, reason };
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.proposal_refused', subject: id, data }, tx);
    return ok(null);
  });
}

/** Withdraws the open proposal of a merchant. */
export async function withdrawProposal(runtime: WriteRuntime, access: Access): Promise<Result<null, AccessRefusal | 'no_proposal'>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  return runtime.db.transaction(async (tx) => {
    const { id } = await lockEndpoint(tx, scope);
    const url = await deleteOpenProposal(tx, scope);
    if (url === null) return fail('no_proposal');
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.proposal_withdrawn', subject: id, data: { after: url } }, tx);
    return ok(null);
  });
}

import { type Access, type AccessRefusal, authorize } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { NotifyRuntime, WriteRuntime } from '@/lib/platform/runtime/runtime';
import { lockEndpoint } from './endpoint-store';
import { decideProposal, findProposal } from './proposal-store';
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
    const proposal = await findProposal(tx, scope);
    if (proposal?.state !== 'open') return fail('no_proposal');
    const { merchantId, environment } = scope;
    await tx.prisma.webhookProposal.deleteMany({ where: { merchantId, environment, state: 'open' } });
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.proposal_withdrawn', subject: id, data: { after: proposal.url } }, tx);
    return ok(null);
  });
}

/** Quotes an argument for a POSIX shell. An address from a member may contain `$(…)`, `;` or quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns the commands that decide a proposal. They contain the address, so they fail if a member has proposed another one meanwhile. */
export function proposalCommands({ merchant, url }: { readonly merchant: string; readonly url: string }): readonly string[] {
  return [
    `bili webhook approve --merchant ${merchant} --url ${quoted(url)}`,
    `bili webhook refuse --merchant ${merchant} --url ${quoted(url)} --reason '…'`,
  ];
}

import { type AccessRefusal, authorize, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { addMs, HOUR_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Connection } from '@/lib/db/database';
import { hasMailSince } from '@/lib/mail/listing-store';
import { queueMail } from '@/lib/mail/queue-mail';
import type { NotifyRuntime } from '@/lib/runtime/runtime';
import { lockEndpoint } from '@/lib/webhooks/endpoint/endpoint-store';
import { proposalCommands } from '@/lib/webhooks/endpoint/proposal-commands';
import { findProposal, saveProposal } from '@/lib/webhooks/endpoint/proposal-store';

/** `unchanged`: webhooks already go to this address. */
export type ProposalRefusal = 'unchanged';

/**
 * Proposes a live webhook address to the operator, in place of the last proposal. The address of the endpoint stays as it is.
 * @param url an address that the rules allow and whose receiver has accepted a test webhook.
 */
export async function proposeEndpoint(
  runtime: NotifyRuntime,
  access: MerchantAccess,
  url: string,
): Promise<Result<null, AccessRefusal | ProposalRefusal>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  return runtime.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, scope);
    if (endpoint.url === url) return fail('unchanged');
    const last = await findProposal(tx, scope);
    if (last?.state === 'open' && last.url === url) return ok(null);
    await saveProposal(tx, scope, { url, proposedBy: actor.name, proposedAt: runtime.clock() });
    const data = { before: endpoint.url, after: url };
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.proposed', subject: endpoint.id, data }, tx);
    await mailOperator(runtime, tx, access, data);
    return ok(null);
  });
}

const MAIL = 'webhook_proposal';

/** Mails the operator, but at most once an hour for each merchant, because a member could propose many addresses one after another. */
async function mailOperator(
  runtime: NotifyRuntime,
  tx: Connection,
  { scope: { merchantId }, merchant: { slug, name }, user }: MerchantAccess,
  { before, after }: { readonly before: string | null; readonly after: string },
): Promise<void> {
  const { OPERATOR_EMAIL: email } = runtime.settings;
  if (!email || (await hasMailSince(tx, { kind: MAIL, merchantId, since: addMs(runtime.clock(), -HOUR_MS) }))) return;
  const text = `${user.email} proposes an address for the live webhooks of "${name}" (${slug}).

Proposed address: ${after}
Current address: ${before ?? 'none'}

The receiver there has accepted a signed test webhook. Bili sends no other webhooks to it until you approve it. First make sure that
the address belongs to the merchant, for example by a call to a phone number that you know. Then run one of these commands:

${proposalCommands({ merchant: slug, url: after }).join('\n')}

"bili webhook proposals" lists all open proposals. Further proposals of this merchant within an hour cause no mail.
`;
  await queueMail(runtime, { to: [email], subject: `Webhook address to approve: ${slug}`, text, kind: MAIL, merchantId }, tx);
}

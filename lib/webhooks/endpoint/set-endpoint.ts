import { type Access, authorize } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { NotifyRuntime } from '@/lib/runtime/runtime';
import { parseWebhookUrl, receiverRules } from '@/lib/webhooks/rules';
import { updateEndpointHealth, updateEndpointUrl } from './endpoint-changes';
import { lockEndpoint, webhookContext } from './endpoint-store';
import { resetHealth } from './health-rules';
import { decideProposal, deleteDecidedProposal } from './proposal-store';

/**
 * Sets the address of a merchant's endpoint. If the address changes, resets the endpoint's health. Waiting deliveries also go to the new
 * address. An open proposal of the same address becomes approved.
 * @param options.onlyIfProposed true: fails and changes nothing if the address is not the address of the open proposal.
 * @returns the signing secret, which does not change with the address, or a sentence that says what is wrong with the address.
 */
export async function setEndpoint(
  runtime: NotifyRuntime,
  access: Access,
  url: string,
  { onlyIfProposed = false }: { readonly onlyIfProposed?: boolean } = {},
): Promise<Result<{ url: string; secret: string }, string>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  const parsed = parseWebhookUrl(url, receiverRules(runtime.settings, scope.environment));
  if (!parsed.ok) return fail(parsed.error);
  return runtime.db.transaction(async (tx) => {
    const now = runtime.clock();
    const endpoint = await lockEndpoint(tx, scope);
    const approved = await decideProposal(tx, scope, parsed.value, { state: 'approved', decidedAt: now });
    if (onlyIfProposed && !approved) return fail('it is not the address of the open proposal');
    if (endpoint.url !== parsed.value) {
      if (!approved) await deleteDecidedProposal(tx, scope);
      await updateEndpointUrl(tx, endpoint.id, parsed.value, now);
      await updateEndpointHealth(tx, endpoint.id, resetHealth(endpoint, now));
      const data = { before: endpoint.url, after: parsed.value };
      await recordEntry(runtime, { ...scope, actor, action: 'webhook.set', subject: endpoint.id, data }, tx);
    }
    return ok({ url: parsed.value, secret: runtime.secrets.decrypt(endpoint.encryptedSecret, webhookContext(scope)) });
  });
}

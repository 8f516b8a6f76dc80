import { type Access, authorize } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { NotifyRuntime } from '@/lib/runtime/runtime';
import { parseWebhookUrl, receiverRules } from '@/lib/webhooks/rules';
import { updateEndpointHealth, updateEndpointStatus, updateEndpointUrl } from './endpoint-changes';
import { type EndpointStatus, lockEndpoint, webhookContext } from './endpoint-store';
import { resetHealth } from './health-rules';
import { decideProposal, deleteDecidedProposal } from './proposal-store';

/**
 * Sets the address of a merchant's endpoint. If the address changes, resets the endpoint's health. Waiting deliveries also go to the new
 * address. An open proposal of the same address becomes approved. A disabled endpoint becomes active, because its failures were those of
 * the old address. A pause by a person continues.
 * @param options.isTested true: the receiver has just accepted a test webhook, so a disabled endpoint also becomes active if the address is
 *   the old one.
 * @param options.onlyIfProposed true: fails and changes nothing if the address is not the address of the open proposal.
 * @returns the status of the endpoint now, and the signing secret, which does not change with the address, or a sentence that says what is wrong with the address.
 */
export async function setEndpoint(
  runtime: NotifyRuntime,
  access: Access,
  url: string,
  { onlyIfProposed = false, isTested = false }: { readonly onlyIfProposed?: boolean; readonly isTested?: boolean } = {},
): Promise<Result<{ url: string; secret: string; endpointStatus: EndpointStatus }, string>> {
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
    const changes = endpoint.url !== parsed.value;
    const restarts = endpoint.status === 'disabled' && (changes || isTested);
    if (changes) {
      if (!approved) await deleteDecidedProposal(tx, scope);
      await updateEndpointUrl(tx, endpoint.id, parsed.value, now);
      const data = { before: endpoint.url, after: parsed.value };
      await recordEntry(runtime, { ...scope, actor, action: 'webhook.set', subject: endpoint.id, data }, tx);
    }
    if (restarts) {
      await updateEndpointStatus(tx, endpoint.id, { status: 'active', reason: null, now });
      const data = { before: endpoint.status };
      await recordEntry(runtime, { ...scope, actor, action: 'webhook.resumed', subject: endpoint.id, data }, tx);
    }
    if (changes || restarts) await updateEndpointHealth(tx, endpoint.id, resetHealth(endpoint, now));
    const endpointStatus = restarts ? 'active' : endpoint.status;
    return ok({ url: parsed.value, endpointStatus, secret: runtime.secrets.decrypt(endpoint.encryptedSecret, webhookContext(scope)) });
  });
}

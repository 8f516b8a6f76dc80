import { parseWebhookUrl, receiverRules } from '@/lib/gateway/webhooks/rules';
import { type Access, authorize } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { NotifyRuntime } from '@/lib/platform/runtime/runtime';
import { type EndpointStatus, resetHealth } from './endpoint-rules';
import { lockEndpoint, updateEndpointHealth, updateEndpointStatus, webhookContext } from './endpoint-store';
import { decideProposal } from './proposal-store';

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
      // A decided proposal was about another address.
      const { merchantId, environment } = scope;
      if (!approved) await tx.prisma.webhookProposal.deleteMany({ where: { merchantId, environment, state: { not: 'open' } } });
      await tx.prisma.webhookEndpoint.updateMany({ where: { id: endpoint.id }, data: { url: parsed.value, updatedAt: now } });
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

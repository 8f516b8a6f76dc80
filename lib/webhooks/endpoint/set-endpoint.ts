import { type Access, authorize } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { NotifyRuntime } from '@/lib/runtime/runtime';
import { parseWebhookUrl, receiverRules } from '@/lib/webhooks/rules';
import { updateEndpointHealth, updateEndpointUrl } from './endpoint-changes';
import { lockEndpoint, webhookContext } from './endpoint-store';
import { resetHealth } from './health-rules';

/**
 * Sets the address of a merchant's endpoint and resets the endpoint's health. Waiting deliveries also go to the new address.
 * @returns the signing secret, which does not change with the address, or a sentence that says what is wrong with the address.
 */
export async function setEndpoint(
  runtime: NotifyRuntime,
  access: Access,
  url: string,
): Promise<Result<{ url: string; secret: string }, string>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  const parsed = parseWebhookUrl(url, receiverRules(runtime.settings, scope.environment));
  if (!parsed.ok) return fail(parsed.error);
  const secret = await runtime.db.transaction(async (tx) => {
    const now = runtime.clock();
    const endpoint = await lockEndpoint(tx, scope);
    if (endpoint.url !== parsed.value) {
      await updateEndpointUrl(tx, endpoint.id, parsed.value, now);
      await updateEndpointHealth(tx, endpoint.id, resetHealth(endpoint, now));
      const data = { before: endpoint.url, after: parsed.value };
      await recordEntry(runtime, { ...scope, actor, action: 'webhook.set', subject: endpoint.id, data }, tx);
    }
    return runtime.secrets.decrypt(endpoint.encryptedSecret, webhookContext(scope));
  });
  return ok({ url: parsed.value, secret });
}

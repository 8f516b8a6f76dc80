import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime, Scope } from '@/lib/config/runtime';
import { fail, ok, type Result } from '@/lib/core/result';
import { parseWebhookUrl, receiverRules } from './rules';
import { findEndpoint, updateEndpointUrl, webhookContext } from './store';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets' | 'settings'>;

/**
 * Sets where a merchant's webhooks go. @returns the signing secret, which stays the same when only the address changes; or a
 * sentence that says what is wrong with the address.
 */
export async function setEndpoint(
  runtime: Needs,
  { scope, url, actor }: { scope: Scope; url: string; actor: string },
): Promise<Result<{ url: string; secret: string }, string>> {
  const parsed = parseWebhookUrl(url, receiverRules(runtime.settings, scope.environment));
  if (!parsed.ok) return fail(parsed.error);
  const secret = await endpointSecret(runtime, scope);
  await runtime.db.transaction(async (tx) => {
    await updateEndpointUrl(tx, scope, parsed.value, runtime.clock());
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.set', subject: parsed.value, address: null }, tx);
  });
  return ok({ url: parsed.value, secret });
}

/** @returns the signing secret that a merchant checks webhooks with. */
export async function endpointSecret({ db, secrets }: Pick<Runtime, 'db' | 'secrets'>, scope: Scope): Promise<string> {
  const endpoint = await findEndpoint(db, scope);
  if (!endpoint) throw new Error(`merchant ${scope.merchantId} has no ${scope.environment} profile`);
  return secrets.decrypt(endpoint.encryptedSecret, webhookContext(scope));
}

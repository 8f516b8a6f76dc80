import { findEndpoint, webhookContext } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import type { Scope } from '@/lib/platform/core/scope';
import type { Runtime } from '@/lib/platform/runtime/runtime';

/** Returns a merchant's current signing secret. Throws if the merchant has no profile in the environment. */
export async function endpointSecret({ db, secrets }: Pick<Runtime, 'db' | 'secrets'>, scope: Scope): Promise<string> {
  const endpoint = await findEndpoint(db, scope);
  if (!endpoint) throw new Error(`merchant ${scope.merchantId} has no ${scope.environment} profile`);
  return secrets.decrypt(endpoint.encryptedSecret, webhookContext(scope));
}

import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { findEndpoint, webhookContext } from '@/lib/webhooks/endpoint/endpoint-store';

/** Returns a merchant's current signing secret. Throws if the merchant has no profile in the environment. */
export async function endpointSecret({ db, secrets }: Pick<Runtime, 'db' | 'secrets'>, scope: Scope): Promise<string> {
  const endpoint = await findEndpoint(db, scope);
  if (!endpoint) throw new Error(`merchant ${scope.merchantId} has no ${scope.environment} profile`);
  return secrets.decrypt(endpoint.encryptedSecret, webhookContext(scope));
}

import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { signingSecrets } from './endpoint-secrets';
import { findEndpoint } from './endpoint-store';

export interface EndpointSecrets {
  readonly secret: string;
  /** The previous secret during an overlap. */
  readonly previous: { readonly secret: string; readonly until: Date } | null;
}

/** Returns the secrets that sign a merchant's webhooks now. Throws if the merchant has no profile in the environment. */
export async function showSecrets(
  { db, clock, secrets }: Pick<Runtime, 'db' | 'clock' | 'secrets'>,
  scope: Scope,
): Promise<EndpointSecrets> {
  const endpoint = await findEndpoint(db, scope);
  if (!endpoint) throw new Error(`merchant ${scope.merchantId} has no ${scope.environment} profile`);
  const [secret = '', previous] = signingSecrets({ secrets }, endpoint, clock());
  const until = endpoint.previousSecretUntil;
  return { secret, previous: previous && until ? { secret: previous, until } : null };
}

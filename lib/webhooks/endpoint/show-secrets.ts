import { type Access, authorizeProven, type ProvenRefusal } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { signingSecrets } from './endpoint-secrets';
import { findEndpoint } from './endpoint-store';
import { findEndpointId } from './history-store';

interface EndpointSecrets {
  readonly secret: string;
  readonly previous: { readonly secret: string; readonly until: Date } | null;
}

/** Returns the secrets that sign a merchant's webhooks now. Throws if the merchant has no profile in the environment. */
async function showSecrets({ db, clock, secrets }: Pick<Runtime, 'db' | 'clock' | 'secrets'>, scope: Scope): Promise<EndpointSecrets> {
  const endpoint = await findEndpoint(db, scope);
  if (!endpoint) throw new Error(`merchant ${scope.merchantId} has no ${scope.environment} profile`);
  const [secret = '', previous] = signingSecrets({ secrets }, endpoint, clock());
  const until = endpoint.previousSecretUntil;
  return { secret, previous: previous && until ? { secret: previous, until } : null };
}

/** Returns the signing secrets to a member. Before that, records in the audit log that they were shown. */
export async function revealSecrets(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets'>,
  access: Access,
): Promise<Result<EndpointSecrets, ProvenRefusal>> {
  const refusal = authorizeProven(access, 'webhooks.change', runtime.clock());
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  const subject = (await findEndpointId(runtime.db, scope)) ?? 'none';
  await recordEntry(runtime, { ...scope, actor, action: 'webhook.secret_shown', subject });
  return ok(await showSecrets(runtime, scope));
}

import { type Access, authorizeProven, type ProvenRefusal } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findEndpoint, signingSecrets } from './endpoint-store';

interface EndpointSecrets {
  readonly secret: string;
  readonly previous: { readonly secret: string; readonly until: Date } | null;
}

/** Returns the signing secrets to a member. Before that, records in the audit log that they were shown. Throws if the profile is missing. */
export async function revealSecrets(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets'>,
  access: Access,
): Promise<Result<EndpointSecrets, ProvenRefusal>> {
  const refusal = authorizeProven(access, 'webhooks.change', runtime.clock());
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  const endpoint = await findEndpoint(runtime.db, scope);
  if (!endpoint) throw new Error(`merchant ${scope.merchantId} has no ${scope.environment} profile`);
  await recordEntry(runtime, { ...scope, actor, action: 'webhook.secret_shown', subject: endpoint.id });
  const [secret = '', previous] = signingSecrets(runtime, endpoint, runtime.clock());
  const until = endpoint.previousSecretUntil;
  return ok({ secret, previous: previous && until ? { secret: previous, until } : null });
}

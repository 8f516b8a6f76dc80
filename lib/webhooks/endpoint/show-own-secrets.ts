import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { findEndpointId } from './history-store';
import { type EndpointSecrets, showSecrets } from './show-secrets';
import { doneBy, type SecretDoor, secretDoor } from './webhook-door';

/** Shows a member the secrets that sign the own merchant's webhooks; that it was done is written down first. */
export async function showOwnSecrets(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets'>,
  access: MerchantAccess,
  address: string | null,
): Promise<Result<EndpointSecrets, SecretDoor>> {
  const door = secretDoor(access, runtime.clock());
  if (door) return fail(door);
  const { scope, actor } = doneBy(access, address);
  const subject = (await findEndpointId(runtime.db, scope)) ?? 'none';
  await recordEntry(runtime, { ...scope, actor, action: 'webhook.secret_shown', subject, address });
  return ok(await showSecrets(runtime, scope));
}

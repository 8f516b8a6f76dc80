import { type AccessRefusal, authorize, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime, WriteRuntime } from '@/lib/runtime/runtime';
import { signPhonePath } from './link';
import { countEndedLinks } from './store';

type NoPhones = AccessRefusal | 'live';

/** Returns the address of the merchant's test phones, which works without signing in. There are none in the live environment. */
export async function linkPhones(
  runtime: Pick<Runtime, 'db' | 'clock' | 'secrets' | 'settings'>,
  access: MerchantAccess,
): Promise<Result<string, NoPhones>> {
  const refusal = authorize(access, 'bills.create');
  if (refusal) return fail(refusal);
  if (access.scope.environment === 'live') return fail('live');
  return ok(runtime.settings.SANDBOX_BASE_URL.origin + (await signPhonePath(runtime, access.scope.merchantId)));
}

/** Makes all links to the merchant's test phones invalid. */
export async function endPhoneLinks(runtime: WriteRuntime, access: MerchantAccess): Promise<Result<void, NoPhones>> {
  const refusal = authorize(access, 'bills.change');
  if (refusal) return fail(refusal);
  if (access.scope.environment === 'live') return fail('live');
  const { scope, actor } = access;
  await runtime.db.transaction(async (tx) => {
    await countEndedLinks(tx, scope);
    await recordEntry(runtime, { ...scope, actor, action: 'phones.ended', subject: scope.merchantId, data: {} }, tx);
  });
  return ok(undefined);
}

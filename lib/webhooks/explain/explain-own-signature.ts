import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { explainSignature } from './explain-signature';
import type { Finding } from './finding';

interface Pasted {
  readonly body: string;
  readonly headers: string;
  readonly secret: string;
  readonly computed: string;
}

/** Tells a member why the own code refuses a webhook. Nothing of what is pasted is kept or logged. @returns the verdict first. */
export async function explainOwnSignature(
  runtime: Pick<Runtime, 'db' | 'clock' | 'secrets'>,
  access: MerchantAccess,
  { computed, ...pasted }: Pasted,
): Promise<Result<Finding[], 'not_allowed'>> {
  if (!may(access, 'webhooks.view')) return fail('not_allowed');
  return ok(await explainSignature(runtime, { ...pasted, scope: access.scope, computed: computed.trim() || undefined }));
}

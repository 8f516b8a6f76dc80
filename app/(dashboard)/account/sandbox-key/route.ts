import { headers } from 'next/headers';
import { sessionToken } from '@/lib/entry/server/visit';
import { type WebRuntime, webRuntime } from '@/lib/entry/server/web-runtime';
import { grantAccess, isProven, may } from '@/lib/identity/accounts/access/grant-access';
import { grantAccount } from '@/lib/identity/accounts/access/grant-account';
import { listKeys } from '@/lib/identity/keys/show-keys';

/** The values that the documentation inserts into its examples for a reader who is signed in. */
interface SandboxKey {
  readonly merchant: string;
  /** The newest active key of the sandbox, or null. */
  readonly keyId: string | null;
  readonly keysPath: string;
  /** The path of the route that creates a key; null if the reader has no permission or has not confirmed their identity recently. */
  readonly createPath: string | null;
}

/**
 * Returns the sandbox key of the first merchant whose keys the reader may see. Answers `null` if there is no such merchant or no session.
 * The answer never contains the secret of a key, because Bili does not store secrets.
 */
export async function GET(): Promise<Response> {
  const runtime = webRuntime();
  const found = await findKey(runtime, await sessionToken(runtime), runtime.addressOf(await headers()));
  return Response.json(found, { headers: { 'cache-control': 'no-store' } });
}

async function findKey(runtime: WebRuntime, token: string | null, address: string | null): Promise<SandboxKey | null> {
  const account = await grantAccount(runtime, token, address);
  for (const { slug } of account?.merchants ?? []) {
    const granted = await grantAccess(runtime, { token, merchant: slug, environment: 'sandbox', address, background: true });
    if (!granted.ok || !may(granted.value, 'keys.view')) continue;
    const access = granted.value;
    const keysPath = `/m/${slug}/sandbox/keys`;
    const mayCreate = may(access, 'keys.change') && isProven(access, runtime.clock());
    const key = (await listKeys(runtime, access)).find(({ state }) => state === 'active');
    return { merchant: access.merchant.name, keyId: key?.id ?? null, keysPath, createPath: mayCreate ? `${keysPath}/new` : null };
  }
  return null;
}

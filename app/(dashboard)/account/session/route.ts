import { sessionToken } from '@/lib/entry/server/visit';
import { webRuntime } from '@/lib/entry/server/web-runtime';
import { hasSession } from '@/lib/identity/accounts/access/grant-account';

/** Returns whether the session is valid, for a page that is about to send a form. The request does not extend the session. */
export async function GET(): Promise<Response> {
  const runtime = webRuntime();
  const lives = await hasSession(runtime, await sessionToken(runtime));
  return new Response(null, { status: lives ? 204 : 401, headers: { 'cache-control': 'no-store' } });
}

import { hasSession } from '@/lib/accounts/access/grant-account';
import { sessionToken } from '@/lib/server/visit';
import { webRuntime } from '@/lib/server/web-runtime';

/** Returns whether the session is valid, for a page that is about to send a form. The request does not extend the session. */
export async function GET(): Promise<Response> {
  const runtime = webRuntime();
  const lives = await hasSession(runtime, await sessionToken(runtime));
  return new Response(null, { status: lives ? 204 : 401, headers: { 'cache-control': 'no-store' } });
}

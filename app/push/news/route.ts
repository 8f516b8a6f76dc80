import { pushText } from '@/components/dashboard/alerts/alert-row';
import { pageOf } from '@/lib/backoffice/alerts/alert';
import { showPushNews } from '@/lib/backoffice/alerts/push/show-push-news';
import { readShortForm } from '@/lib/entry/http/body';
import { isSameOrigin } from '@/lib/entry/http/same-origin';
import { pageLocale } from '@/lib/entry/server/preferences';
import { sessionToken } from '@/lib/entry/server/visit';
import { webRuntime } from '@/lib/entry/server/web-runtime';

const HEADERS = { 'cache-control': 'no-store' };

/**
 * Returns the newest notification to the service worker of a device that got a push. Answers 404 if the member is not signed in on this
 * device.
 */
export async function POST(request: Request): Promise<Response> {
  const runtime = webRuntime();
  const form = await readShortForm(request);
  if (!form) return Response.json(null, { status: 413, headers: HEADERS });
  const endpoint = isSameOrigin(request.headers) ? form.get('endpoint') : null;
  const found = endpoint !== null ? await showPushNews(runtime, await sessionToken(runtime), endpoint) : null;
  if (!found) return Response.json(null, { status: 404, headers: HEADERS });
  const { alert, access, path } = found;
  const { environment } = access.scope;
  const text = pushText(alert, await pageLocale(), { name: access.merchant.name, environment });
  return Response.json({ ...text, url: path(pageOf(alert)) }, { headers: HEADERS });
}

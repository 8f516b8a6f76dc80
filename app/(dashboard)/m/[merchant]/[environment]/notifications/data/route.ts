import { alertRow } from '@/components/dashboard/alerts/alert-row';
import type { BellUpdate } from '@/components/dashboard/alerts/bell';
import { listNewestAlerts, UNREAD_MAX } from '@/lib/alerts/list-alerts';
import { markRead } from '@/lib/alerts/mark-read';
import { readShortForm } from '@/lib/http/read-json';
import { dataRoute, sentDataRoute } from '@/lib/server/visit';

/** The maximum number of notifications in the bell's panel. The page of notifications lists all. */
const SHOWN = 12;

const HEADERS = { 'cache-control': 'no-store' };

/** Returns the member's newest notifications and how many are unread, for the bell. */
export const GET = dataRoute(async ({ runtime, access, locale, path }) => {
  const { alerts, readUntil } = await listNewestAlerts(runtime, access);
  const update: BellUpdate = {
    unread: alerts.filter(({ at }) => at > readUntil).length,
    counted: UNREAD_MAX,
    items: alerts.slice(0, SHOWN).map((alert) => alertRow(alert, { readUntil, now: runtime.clock(), locale, path })),
    newest: alerts[0]?.at.toISOString() ?? null,
  };
  return Response.json(update, { headers: HEADERS });
});

/** Marks the member's notifications as read, for the bell. */
export const POST = sentDataRoute(async ({ runtime, access }, request) => {
  const form = await readShortForm(request);
  if (!form) return new Response(null, { status: 413, headers: HEADERS });
  const until = form.get('until');
  const marked = until !== null && (await markRead(runtime, access, until));
  return new Response(null, { status: marked ? 204 : 400, headers: HEADERS });
});

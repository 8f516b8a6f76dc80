import { alertRow } from '@/components/dashboard/alerts/alert-row';
import type { BellUpdate } from '@/components/dashboard/alerts/bell';
import type { Alert } from '@/lib/backoffice/alerts/alert';
import { markRead, showBell, UNREAD_MAX } from '@/lib/backoffice/alerts/list-alerts';
import { readShortForm } from '@/lib/entry/http/body';
import { dataRoute, sentDataRoute } from '@/lib/entry/server/visit';

/** The maximum numbers of notifications in the bell's panel. The page of notifications lists all. */
const SHOWN = 12;
const URGENT = 4;

/** Returns the member's newest notifications and how many need attention, for the bell. */
export const GET = dataRoute(async ({ runtime, access, locale, path }) => {
  const { news, attention, readUntil } = await showBell(runtime, access, SHOWN);
  const rowOf = (alert: Alert) => alertRow(alert, { readUntil, now: runtime.clock(), locale, path });
  const newest = [...news.slice(0, 1), ...attention.slice(0, 1)].map(({ at }) => at.getTime());
  const update: BellUpdate = {
    attention: attention.length,
    counted: UNREAD_MAX,
    urgent: attention.slice(0, URGENT).map(rowOf),
    items: news.slice(0, SHOWN - Math.min(URGENT, attention.length)).map(rowOf),
    newest: newest.length === 0 ? null : new Date(Math.max(...newest)).toISOString(),
  };
  return Response.json(update);
});

/** Marks the member's notifications as read, for the bell. */
export const POST = sentDataRoute(async ({ runtime, access }, request) => {
  const form = await readShortForm(request);
  if (!form) return new Response(null, { status: 413 });
  const until = form.get('until');
  const marked = until !== null && (await markRead(runtime, access, until));
  return new Response(null, { status: marked ? 204 : 400 });
});

import { markRead } from '@/lib/alerts/mark-read';
import { sentDataRoute } from '@/lib/server/visit';

/** Marks the member's notifications as read, for the bell. */
export const POST = sentDataRoute(async ({ runtime, access }, request) => {
  const until = (await request.formData()).get('until');
  const marked = typeof until === 'string' && (await markRead(runtime, access, until));
  return new Response(null, { status: marked ? 204 : 400, headers: { 'cache-control': 'no-store' } });
});

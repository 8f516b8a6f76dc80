import { counterWorker } from '@/components/dashboard/counter/counter-worker';
import { dataRoute } from '@/lib/entry/server/visit';

/** The service worker of the counter. It controls only the page of the counter. */
export const GET = dataRoute(({ path }) => {
  const headers = {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
    'service-worker-allowed': path('counter'),
  };
  return new Response(counterWorker(path('counter')), { headers });
});

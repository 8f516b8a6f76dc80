import { deliveryQuery } from '@/lib/backoffice/delivery-log/delivery-query';
import { viewVersion, type WebhookView } from '@/lib/backoffice/delivery-log/view-version';
import { dataRoute } from '@/lib/entry/server/visit';

/** Returns a value that changes whenever the content of a webhook page changes. */
export const GET = dataRoute(async ({ runtime, access }, request) => {
  const version = await viewVersion(runtime, access, readView(new URL(request.url).searchParams));
  return Response.json({ version });
});

function readView(asked: URLSearchParams): WebhookView {
  const id = asked.get('id') ?? '';
  const view = asked.get('view');
  if (view === 'delivery' || view === 'run') return { view, id };
  if (view !== 'deliveries') return { view: 'endpoint' };
  return { view, query: deliveryQuery((name) => asked.get(name)), before: asked.get('before') };
}

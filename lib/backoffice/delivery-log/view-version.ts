import { hash } from 'node:crypto';
import type { DeliveryQuery } from '@/lib/backoffice/delivery-log/delivery-query';
import { listDeliveryPage } from '@/lib/backoffice/delivery-log/list-deliveries';
import { showDeliveryPage } from '@/lib/backoffice/delivery-log/show-delivery';
import { showRedelivery } from '@/lib/gateway/webhooks/redeliver/show-redelivery';
import type { Access } from '@/lib/identity/accounts/access/grant-access';
import type { ReadRuntime } from '@/lib/platform/runtime/runtime';
import { showEndpointPage } from './show-endpoint';

export type WebhookView =
  | { readonly view: 'endpoint' }
  | { readonly view: 'deliveries'; readonly query: DeliveryQuery; readonly before: string | null }
  | { readonly view: 'delivery'; readonly id: string }
  | { readonly view: 'run'; readonly id: string };

/** Returns a hash of what a page about webhooks shows. Open pages ask for this hash again and again, and reload when it changes. */
export async function viewVersion(runtime: ReadRuntime, access: Access, view: WebhookView): Promise<string> {
  return versionOf(await load(runtime, access, view));
}

export function versionOf(shown: unknown): string {
  return hash('sha256', JSON.stringify(shown) ?? '', 'base64url').slice(0, 16);
}

async function load(runtime: ReadRuntime, access: Access, view: WebhookView): Promise<unknown> {
  switch (view.view) {
    case 'endpoint':
      return showEndpointPage(runtime, access);
    case 'deliveries':
      return listDeliveryPage(runtime, access, view);
    case 'delivery':
      return showDeliveryPage(runtime, access, view.id);
    case 'run':
      return showRedelivery(runtime, access, view.id);
  }
}

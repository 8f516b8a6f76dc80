import { hash } from 'node:crypto';
import type { Access } from '@/lib/accounts/access/grant-access';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import type { DeliveryQuery } from '@/lib/webhooks/log/delivery-query';
import { listDeliveryPage } from '@/lib/webhooks/log/list-deliveries';
import { showDeliveryPage } from '@/lib/webhooks/log/show-delivery';
import { showRedelivery } from '@/lib/webhooks/redeliver/show-redelivery';
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

import { hash } from 'node:crypto';
import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import type { Runtime } from '@/lib/runtime/runtime';
import type { DeliveryQuery } from '@/lib/webhooks/log/delivery-query';
import { listOwnDeliveries } from '@/lib/webhooks/log/list-own-deliveries';
import { showOwnDelivery } from '@/lib/webhooks/log/show-own-delivery';
import { showOwnRedelivery } from '@/lib/webhooks/redeliver/show-own-redelivery';
import { showOwnEndpoint } from './show-own-endpoint';

/** What a page about webhooks shows. */
export type HookView =
  | { readonly view: 'endpoint' }
  | { readonly view: 'deliveries'; readonly query: DeliveryQuery; readonly before: string | null }
  | { readonly view: 'delivery'; readonly id: string }
  | { readonly view: 'run'; readonly id: string };

/** @returns a short text that is another one when there is something new on the page: what is open in a browser asks for it. */
export async function stampOwnView(runtime: Pick<Runtime, 'db' | 'clock'>, access: MerchantAccess, view: HookView): Promise<string> {
  return stampOf(await load(runtime, access, view));
}

/** Pure. */
export function stampOf(shown: unknown): string {
  return hash('sha256', JSON.stringify(shown) ?? '', 'base64url').slice(0, 16);
}

async function load(runtime: Pick<Runtime, 'db' | 'clock'>, access: MerchantAccess, view: HookView): Promise<unknown> {
  switch (view.view) {
    case 'endpoint':
      return showOwnEndpoint(runtime, access);
    case 'deliveries':
      return listOwnDeliveries(runtime, access, view);
    case 'delivery':
      return showOwnDelivery(runtime, access, view.id);
    case 'run':
      return showOwnRedelivery(runtime, access, view.id);
  }
}

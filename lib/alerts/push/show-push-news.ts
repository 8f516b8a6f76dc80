import { dashboardPath, grantAccess, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import type { SessionRuntime } from '@/lib/accounts/sessions/read-session';
import type { Alert } from '../alert';
import { listNewestAlerts } from '../list-alerts';
import { readEndpoint } from './push-rules';
import { listDevicePlaces } from './subscription-store';

interface PushNews {
  readonly alert: Alert;
  readonly access: MerchantAccess;
  readonly path: (page: string) => string;
}

/**
 * Returns the newest event that a device was notified of, if the member is signed in on this device. Every call checks the access, as a
 * page does.
 * @param endpoint the address of the device at its push service. Only the device and the push service know it.
 */
export async function showPushNews(runtime: SessionRuntime, token: string | null, endpoint: string): Promise<PushNews | null> {
  const url = readEndpoint(endpoint);
  if (token === null || !url) return null;
  const places = await listDevicePlaces(runtime.db, url.href);
  const found = await Promise.all(
    places.map(async ({ userId, environment, slug }): Promise<PushNews[]> => {
      const access = await grantAccess(runtime, { token, merchant: slug, environment, background: true });
      if (!access.ok || access.value.user.id !== userId) return [];
      const [alert] = (await listNewestAlerts(runtime, access.value)).alerts;
      return alert ? [{ alert, access: access.value, path: (page) => dashboardPath({ slug, environment, page }) }] : [];
    }),
  );
  return found.flat().sort((a, b) => b.alert.at.getTime() - a.alert.at.getTime())[0] ?? null;
}

import { dashboardPath, grantAccess, type MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import type { SessionRuntime } from '@/lib/identity/accounts/access/sessions';
import type { Alert } from '../alert';
import { listNewestAlerts } from '../list-alerts';
import { readEndpoint } from './push-rules';

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
  const devices = await runtime.db.prisma.pushSubscription.findMany({
    where: { endpoint: url.href },
    select: { userId: true, environment: true, membership: { select: { merchant: { select: { slug: true } } } } },
  });
  const found = await Promise.all(
    devices.map(async ({ userId, environment, membership }): Promise<PushNews[]> => {
      const { slug } = membership.merchant;
      const access = await grantAccess(runtime, { token, merchant: slug, environment, background: true });
      if (!access.ok || access.value.user.id !== userId) return [];
      const [alert] = (await listNewestAlerts(runtime, access.value)).alerts;
      return alert ? [{ alert, access: access.value, path: (page) => dashboardPath({ slug, environment, page }) }] : [];
    }),
  );
  return found.flat().sort((a, b) => b.alert.at.getTime() - a.alert.at.getTime())[0] ?? null;
}

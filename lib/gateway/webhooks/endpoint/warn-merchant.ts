import { dashboardPath } from '@/lib/identity/accounts/access/grant-access';
import { findRecipients } from '@/lib/identity/merchants/notify-store';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';
import type { Queryable } from '@/lib/platform/db/database';
import { formatExactInstant } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { hasMailSince } from '@/lib/platform/mail/listing-store';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { Endpoint } from './endpoint-rules';

/** The subject of the mail. `gone`: the endpoint was disabled because the receiver answered 410. */
type Warning = { readonly kind: 'failing'; readonly hours: number } | { readonly kind: 'disabled' } | { readonly kind: 'gone' };

type Needs = Pick<Runtime, 'clock' | 'random' | 'settings' | 'secrets'>;
const MAIL = 'webhook_warning';

/** Queues a mail to the merchant's addresses for webhook notifications, in the transaction that records the warning. */
export async function warnMerchant(runtime: Needs, tx: Queryable, endpoint: Endpoint, warning: Warning): Promise<void> {
  const merchant = await findRecipients(tx, endpoint.merchantId, 'webhooks');
  const { url, environment, failingSince, failureCount } = endpoint;
  if (!merchant || merchant.addresses.length === 0 || url === null) return;
  // Without this limit, an endpoint that recovers now and then would cause a mail every hour.
  const lately = { kind: MAIL, merchantId: endpoint.merchantId, since: addMs(runtime.clock(), -DAY_MS) };
  if (warning.kind === 'failing' && warning.hours === 1 && (await hasMailSince(tx, lately))) return;
  const page = dashboardPath({ slug: merchant.slug, environment, page: 'webhooks' });
  const facts = {
    merchant: merchant.name,
    environment,
    url,
    host: new URL(url).host,
    failures: failureCount,
    hours:
      warning.kind === 'failing'
        ? warning.hours
        : Math.floor((runtime.clock().getTime() - (failingSince ?? runtime.clock()).getTime()) / HOUR_MS),
    page: runtime.settings.LIVE_BASE_URL.origin + page,
  };
  const write = (locale: Locale) => {
    const t = translator(locale, 'WebhookMail');
    const since = failingSince ? formatExactInstant(failingSince, locale) : '';
    return {
      subject: t(`${warning.kind}Subject`, facts),
      text: `${t(`${warning.kind}Text`, { ...facts, since })}\n\n${t('more', facts)}\n`,
    };
  };
  const { addresses: to, language } = merchant;
  await queueMail(runtime, { to, kind: MAIL, merchantId: endpoint.merchantId, language, write }, tx);
}

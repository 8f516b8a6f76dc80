import { startRunAction } from '@/app/(dashboard)/m/[merchant]/[environment]/webhooks/actions';
import { type PageProps, single, titled } from '@/app/page-props';
import { LiveRefresh } from '@/components/dashboard/live-refresh';
import { Pager } from '@/components/dashboard/pager';
import { NotAllowed } from '@/components/dashboard/shell/shell';
import { DeliveryFilter, DeliveryList, HoldNotice, UnsentNotice } from '@/components/dashboard/webhooks/delivery-list';
import { WebhookPage } from '@/components/dashboard/webhooks/webhook-page';
import { Card, EmptyState } from '@/components/ui/layout';
import { deliveryQuery } from '@/lib/backoffice/delivery-log/delivery-query';
import { listDeliveryPage } from '@/lib/backoffice/delivery-log/list-deliveries';
import { versionOf } from '@/lib/backoffice/delivery-log/view-version';
import { openVisit } from '@/lib/entry/server/visit';
import { isStopped } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { countMissed } from '@/lib/gateway/webhooks/redeliver/start-redelivery';
import { PACE } from '@/lib/gateway/webhooks/redelivery-rules';
import { may } from '@/lib/identity/accounts/access/grant-access';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { translator } from '@/lib/platform/i18n/translator';

export const generateMetadata = titled('Webhooks', 'deliveries');

export default async function DeliveriesPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, path } = await openVisit(await params, 'webhooks/deliveries');
  if (!may(access, 'webhooks.view')) return <NotAllowed access={access} permission="webhooks.view" locale={locale} />;
  const asked = await searchParams;
  const query = deliveryQuery((name) => single(asked[name]));
  const before = single(asked.before);
  const [list, missed] = await Promise.all([
    listDeliveryPage(runtime, access, { query, before }),
    before === null ? countMissed(runtime, access) : null,
  ]);
  const t = translator(locale, 'Hooks');
  const w = translator(locale, 'Webhooks');
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const live = new URLSearchParams({ view: 'deliveries', ...given, ...(before !== null && { before }) });
  const hold = list.deliveries.find(({ hold }) => isStopped(hold))?.hold;
  const unsent = missed?.counts.find(({ state }) => state === 'UNSENT');
  const order = unsent && {
    ...{ from: eastAfricanDay(unsent.first), to: eastAfricanDay(runtime.clock()) },
    ...{ state: 'UNSENT', perSecond: String(PACE.usual) },
  };
  const sends = list.url !== null && may(access, 'webhooks.change');
  const narrowed = before !== null || Object.keys(given).length > 0;
  return (
    <WebhookPage access={access} locale={locale} tab="deliveries">
      <LiveRefresh address={path(`webhooks/live?${live}`)} watched={{ version: versionOf(list) }} />
      {order && (
        <UnsentNotice
          count={unsent.count}
          send={sends ? { action: startRunAction, order } : null}
          endpointPath={list.url === null ? path('webhooks') : null}
          locale={locale}
        />
      )}
      <DeliveryFilter query={query} problem={list.problem} path={path('webhooks/deliveries')} locale={locale} />
      {hold && <HoldNotice hold={hold} endpointPath={path('webhooks')} locale={locale} />}
      <Card>
        {list.deliveries.length > 0 ? (
          <DeliveryList
            deliveries={list.deliveries}
            deliveryPath={(id) => path(`webhooks/deliveries/${id}`)}
            now={runtime.clock()}
            locale={locale}
          />
        ) : narrowed ? (
          <EmptyState art="notFound" title={t('noneTitle')} text={t('noneText')} />
        ) : (
          <EmptyState art="empty" title={w('emptyTitle')} text={w('emptyText')} />
        )}
      </Card>
      <Pager path={path('webhooks/deliveries')} query={given} older={list.older} first={before === null} locale={locale} />
    </WebhookPage>
  );
}

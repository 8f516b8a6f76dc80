import { type PageProps, single, titled } from '@/app/page-props';
import { LiveRefresh } from '@/components/dashboard/live-refresh';
import { Pager } from '@/components/dashboard/pager';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { DeliveriesTable } from '@/components/dashboard/webhooks/deliveries-table';
import { DeliveryFilter } from '@/components/dashboard/webhooks/delivery-filter';
import { HoldNotice } from '@/components/dashboard/webhooks/hold-notice';
import { WebhookPage } from '@/components/dashboard/webhooks/webhook-page';
import { Card, EmptyState } from '@/components/ui/layout';
import { may } from '@/lib/accounts/access/grant-access';
import { translator } from '@/lib/i18n/translator';
import { openVisit } from '@/lib/server/visit';
import { isStopped } from '@/lib/webhooks/endpoint/hold-rules';
import { deliveryQuery } from '@/lib/webhooks/log/delivery-query';
import { listDeliveryPage } from '@/lib/webhooks/log/list-deliveries';
import { versionOf } from '@/lib/webhooks/page/view-version';

export const generateMetadata = titled('Webhooks', 'deliveries');

export default async function DeliveriesPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, path } = await openVisit(await params, 'webhooks/deliveries');
  if (!may(access, 'webhooks.view')) return <NotAllowed access={access} permission="webhooks.view" locale={locale} />;
  const asked = await searchParams;
  const query = deliveryQuery((name) => single(asked[name]));
  const before = single(asked.before);
  const list = await listDeliveryPage(runtime, access, { query, before });
  const t = translator(locale, 'Hooks');
  const w = translator(locale, 'Webhooks');
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const live = new URLSearchParams({ view: 'deliveries', ...given, ...(before !== null && { before }) });
  const hold = list.deliveries.find(({ hold }) => isStopped(hold))?.hold;
  const narrowed = before !== null || Object.keys(given).length > 0;
  return (
    <WebhookPage access={access} locale={locale} tab="deliveries">
      <LiveRefresh address={path(`webhooks/live?${live}`)} watched={{ version: versionOf(list) }} />
      <DeliveryFilter query={query} problem={list.problem} path={path('webhooks/deliveries')} locale={locale} />
      {hold && <HoldNotice hold={hold} endpointPath={path('webhooks')} locale={locale} />}
      <Card id="deliveries" title={w('deliveries')}>
        {list.deliveries.length > 0 ? (
          <DeliveriesTable deliveries={list.deliveries} deliveryPath={(id) => path(`webhooks/deliveries/${id}`)} locale={locale} />
        ) : narrowed ? (
          <EmptyState title={t('noneTitle')} text={t('noneText')} />
        ) : (
          <EmptyState title={w('emptyTitle')} text={w('emptyText')} />
        )}
      </Card>
      <Pager path={path('webhooks/deliveries')} query={given} older={list.older} first={before === null} locale={locale} />
    </WebhookPage>
  );
}

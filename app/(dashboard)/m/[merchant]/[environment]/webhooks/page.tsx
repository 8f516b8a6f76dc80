import type { Metadata } from 'next';
import Link from 'next/link';
import { BillBadge, DeliveryBadge } from '@/components/dashboard/badges';
import { EndpointHealth } from '@/components/dashboard/endpoint-health';
import { Pager } from '@/components/dashboard/pager';
import { Shell } from '@/components/dashboard/shell';
import { Tries } from '@/components/dashboard/tries';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { Cell, Row, Table } from '@/components/ui/table';
import { dashboardPath } from '@/lib/accounts/grant-access';
import { formatInstant } from '@/lib/i18n/format';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { csrfToken, openVisit } from '@/lib/server/visit';
import { listDeliveries } from '@/lib/webhooks/list-deliveries';
import { showEndpoint } from '@/lib/webhooks/show-endpoint';
import { type PageProps, single } from '../params';

export async function generateMetadata(): Promise<Metadata> {
  return { title: translator(await pageLocale(), 'Webhooks')('title') };
}

export default async function WebhooksPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale } = await openVisit(await params, 'webhooks');
  const before = single((await searchParams).before);
  const [{ url, deliveries, older }, endpoint] = await Promise.all([
    listDeliveries(runtime, access, { before }),
    showEndpoint(runtime, access.scope),
  ]);
  const t = translator(locale, 'Webhooks');
  const place = { slug: access.merchant.slug, environment: access.scope.environment };
  return (
    <Shell access={access} locale={locale} section="webhooks" csrf={await csrfToken(runtime)}>
      <PageHeader title={t('title')} intro={t('intro')} />
      {url === null ? (
        <Notice tone="wait" title={t('notSetUpTitle')}>
          <p>{t('notSetUpText')}</p>
        </Notice>
      ) : (
        <Card id="address" title={t('address')}>
          <code className="wrap-anywhere">{url}</code>
          <div className="mt-3">
            <EndpointHealth endpoint={endpoint} locale={locale} />
          </div>
        </Card>
      )}
      {(url !== null || deliveries.length > 0) && (
        <Card id="deliveries" title={t('deliveries')}>
          {deliveries.length === 0 ? (
            <EmptyState title={t('emptyTitle')} text={t('emptyText')} />
          ) : (
            <Table caption={t('deliveries')} columns={[t('bill'), t('about'), t('state'), t('created'), t('tries')]}>
              {deliveries.map((delivery) => (
                <Row key={delivery.id}>
                  <Cell>
                    <Link
                      href={dashboardPath({ ...place, page: `bills/${delivery.billId}` })}
                      prefetch={false}
                      className="font-semibold text-brand underline underline-offset-2"
                    >
                      {delivery.reference}
                    </Link>
                  </Cell>
                  <Cell label={t('about')}>
                    <BillBadge status={delivery.billStatus} locale={locale} />
                  </Cell>
                  <Cell label={t('state')}>
                    <DeliveryBadge delivery={delivery} locale={locale} />
                  </Cell>
                  <Cell label={t('created')} whole>
                    {formatInstant(delivery.createdAt, locale)}
                  </Cell>
                  <Cell>
                    <details>
                      <summary className="inline-flex cursor-pointer list-none items-center gap-1 py-1 font-semibold text-brand">
                        {t('triesCount', { count: delivery.tries.length })} <Icon name="down" />
                      </summary>
                      <div className="mt-2">
                        <Tries delivery={delivery} locale={locale} />
                      </div>
                    </details>
                  </Cell>
                </Row>
              ))}
            </Table>
          )}
        </Card>
      )}
      <Pager path={dashboardPath({ ...place, page: 'webhooks' })} older={older} first={before === null} locale={locale} />
    </Shell>
  );
}

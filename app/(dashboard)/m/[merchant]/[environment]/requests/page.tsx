import { type PageProps, single, titled } from '@/app/page-props';
import { Help } from '@/components/dashboard/help/help';
import { KeyTabs } from '@/components/dashboard/keys/key-list';
import { Pager } from '@/components/dashboard/pager';
import { RequestFilter, RequestList } from '@/components/dashboard/requests/request-list';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed, Shell } from '@/components/dashboard/shell/shell';
import { Icon } from '@/components/ui/icon';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { ButtonLink } from '@/components/ui/links';
import { listRequests } from '@/lib/backoffice/requests/list-requests';
import { requestQuery } from '@/lib/backoffice/requests/request-query';
import { openVisit } from '@/lib/entry/server/visit';
import { listKeys } from '@/lib/identity/keys/show-keys';
import { translator } from '@/lib/platform/i18n/translator';

export const generateMetadata = titled('Requests', 'title');

export default async function RequestsPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, path } = await openVisit(await params, 'requests');
  const asked = await searchParams;
  const query = requestQuery((name) => single(asked[name]));
  const before = single(asked.before);
  const found = await listRequests(runtime, access, { query, before });
  if (!found) return <NotAllowed access={access} permission="keys.view" locale={locale} />;
  const t = translator(locale, 'Requests');
  const chosen = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const narrowed = before !== null || Object.keys(chosen).length > 0;
  const here = narrowed
    ? `${path('requests')}?${new URLSearchParams({ ...chosen, ...(before !== null && { before }) })}`
    : path('requests');
  return (
    <Shell access={access} locale={locale} section="keys" texts={['Requests']}>
      <PageHeader help={<Help text={t('help')} docs="dashboard.md#request-log" locale={locale} />} title={t('title')} intro={t('intro')}>
        <ButtonLink href={here}>
          <Icon name="retry" />
          {t('refresh')}
        </ButtonLink>
      </PageHeader>
      <KeyTabs shown="requests" path={path} locale={locale} />
      {single(asked.result) === 'not_logged' && <ResultNotice text={t('result_not_logged')} />}
      <RequestFilter query={query} keys={await listKeys(runtime, access)} path={path('requests')} locale={locale} />
      <Card>
        {found.requests.length > 0 ? (
          <RequestList requests={found.requests} requestPath={(id) => path(`requests/${id}`)} now={runtime.clock()} locale={locale} />
        ) : (
          <EmptyState
            art={narrowed ? 'notFound' : 'empty'}
            title={t(narrowed ? 'noneTitle' : 'emptyTitle')}
            text={t(narrowed ? 'noneText' : 'emptyText')}
          />
        )}
      </Card>
      <Pager path={path('requests')} query={chosen} older={found.older} first={before === null} locale={locale} />
      <p className="max-w-prose text-sm text-muted">{t('scope')}</p>
    </Shell>
  );
}

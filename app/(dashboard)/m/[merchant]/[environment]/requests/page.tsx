import { type PageProps, single, titled } from '@/app/page-props';
import { Help } from '@/components/dashboard/help/help';
import { KeyTabs } from '@/components/dashboard/keys/key-tabs';
import { Pager } from '@/components/dashboard/pager';
import { RequestFilter } from '@/components/dashboard/requests/request-filter';
import { RequestTable } from '@/components/dashboard/requests/request-table';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import { translator } from '@/lib/i18n/translator';
import { listKeys } from '@/lib/keys/show-keys';
import { listRequests } from '@/lib/requests/list-requests';
import { requestQuery } from '@/lib/requests/request-query';
import { openVisit } from '@/lib/server/visit';

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
      <PageHeader help={<Help page="requests" locale={locale} />} title={t('title')} intro={t('intro')} />
      <KeyTabs shown="requests" path={path} locale={locale} />
      {single(asked.result) === 'not_logged' && <ResultNotice text={t('result_not_logged')} />}
      <RequestFilter query={query} keys={await listKeys(runtime, access)} path={path('requests')} locale={locale} />
      <Card id="requests" title={t('list')} action={<TextLink href={here}>{t('refresh')}</TextLink>}>
        {found.requests.length > 0 ? (
          <RequestTable requests={found.requests} requestPath={(id) => path(`requests/${id}`)} locale={locale} />
        ) : (
          <EmptyState title={t(narrowed ? 'noneTitle' : 'emptyTitle')} text={t(narrowed ? 'noneText' : 'emptyText')} />
        )}
      </Card>
      <Pager path={path('requests')} query={chosen} older={found.older} first={before === null} locale={locale} />
      <p className="max-w-prose text-sm text-muted">{t('scope')}</p>
    </Shell>
  );
}

import { type PageProps, single, titled } from '@/app/page-props';
import { billRow } from '@/components/dashboard/bill-list/bill-row';
import { listAddress, unfiltered } from '@/components/dashboard/bill-list/describe-filter';
import { ExportDialog } from '@/components/dashboard/bill-list/export-dialog';
import { FilterForm } from '@/components/dashboard/bill-list/filter-form';
import { FilterLine } from '@/components/dashboard/bill-list/filter-line';
import { ListFooter } from '@/components/dashboard/bill-list/list-footer';
import { LiveBills } from '@/components/dashboard/bill-list/live-bills';
import { QueryProblems } from '@/components/dashboard/bill-list/query-problems';
import { BillTabs } from '@/components/dashboard/bill-list/tabs-with-counts';
import { ViewTabs } from '@/components/dashboard/bill-list/view-tabs';
import { Help } from '@/components/dashboard/help/help';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { Icon } from '@/components/ui/icon';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { ButtonLink } from '@/components/ui/links';
import { may, requestPermission } from '@/lib/accounts/access/grant-access';
import { formatBillQuery, isUnfiltered } from '@/lib/bills/list/filter';
import { listBills } from '@/lib/bills/list/list-bills';
import { parseBillQuery } from '@/lib/bills/list/parse-filter';
import { NEW_COUNTED } from '@/lib/bills/list/refresh-bills';
import { listViews } from '@/lib/bills/views/manage-views';
import { translator } from '@/lib/i18n/translator';
import { openVisit } from '@/lib/server/visit';
import { deleteViewAction, renameViewAction, saveViewAction } from './actions';
import { closeBillsAction, requestPaymentsAction } from './bulk-actions';

export const generateMetadata = titled('BillList', 'title');

export default async function BillsPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, place, path: below } = await openVisit(await params, 'bills');
  const values = await searchParams;
  const { query, problems } = parseBillQuery(values);
  const asked = single(values.page);
  const [listed, views] = await Promise.all([listBills(runtime, access, { ...query, page: asked }), listViews(runtime, access)]);
  if (!listed.ok) return <NotAllowed access={access} permission="bills.view" locale={locale} />;
  const page = listed.value;
  const t = translator(locale, 'BillList');
  const path = below('bills');
  const changes = may(access, 'bills.change');
  const creates = may(access, 'bills.create') && access.status === 'active';
  const now = runtime.clock();
  const { filter } = query;
  const blank = page.bills.length === 0 && isUnfiltered(filter);
  const source = new URLSearchParams(formatBillQuery(query));
  for (const { id } of page.bills) source.append('id', id);
  // `newest` makes the data route count newer bills. Only the first page sends it, because new bills do not appear on later pages.
  if (page.previous === null) source.set('newest', page.newest);
  return (
    <Shell
      access={access}
      locale={locale}
      section="bills"
      texts={['BillExport', 'BillList', 'BillRows', 'Status', 'BulkBills', 'CloseBill']}
    >
      <PageHeader help={<Help page="bills" locale={locale} />} title={t('title')}>
        <div className="flex flex-wrap gap-2">
          {creates && (
            <ButtonLink href={below('bills/new')} look="primary">
              <Icon name="plus" />
              {t('create')}
            </ButtonLink>
          )}
          {creates && may(access, 'bills.import') && (
            <ButtonLink href={below('bills/import')}>
              <Icon name="upload" />
              <span className="max-sm:sr-only">{t('import')}</span>
            </ButtonLink>
          )}
          {may(access, 'bills.export') && !blank && (
            <ExportDialog address={`${path}/export`} query={formatBillQuery(query).toString()} total={page.total} />
          )}
        </div>
      </PageHeader>
      <ViewTabs
        path={path}
        query={query}
        views={views}
        place={place}
        save={saveViewAction}
        rename={renameViewAction}
        remove={deleteViewAction}
        locale={locale}
      />
      <QueryProblems problems={page.pageInvalid ? [...problems, { field: 'page', value: '' }] : problems} locale={locale} />
      {!blank && (
        <>
          <BillTabs path={path} query={query} tabs={page.summary.tabs} locale={locale} />
          <FilterLine path={path} query={query} locale={locale} />
          <FilterForm path={path} query={query} sandbox={access.scope.environment === 'sandbox'} locale={locale} />
        </>
      )}
      <Card>
        {page.bills.length > 0 ? (
          <LiveBills
            rows={page.bills.map((bill) => billRow(bill, { locale, now }))}
            path={path}
            source={`${path}/rows?${source}`}
            first={listAddress(path, query)}
            newerMax={NEW_COUNTED}
            byPaid={filter.by === 'paid'}
            bulk={{
              close: changes ? { action: closeBillsAction, place } : null,
              request: may(access, requestPermission(access)) ? { action: requestPaymentsAction, place } : null,
              exported: may(access, 'bills.export') ? `${path}/export` : null,
            }}
          />
        ) : blank ? (
          <EmptyState
            title={t('emptyTitle')}
            text={t(access.status !== 'active' ? 'emptyInactive' : access.billsOf === null ? 'emptyText' : 'emptyOwn')}
          >
            <div className="flex flex-wrap justify-center gap-3">
              {creates && (
                <ButtonLink href={below('bills/new')} look="primary">
                  {t('emptyCreate')}
                </ButtonLink>
              )}
              {may(access, 'keys.view') && <ButtonLink href={below('keys')}>{t('emptyKeys')}</ButtonLink>}
            </div>
          </EmptyState>
        ) : (
          <EmptyState title={t('noneTitle')} text={t('noneText')}>
            <ButtonLink href={listAddress(path, unfiltered(query))}>{t('clear')}</ButtonLink>
          </EmptyState>
        )}
      </Card>
      <ListFooter path={path} query={query} page={page} locale={locale} />
    </Shell>
  );
}

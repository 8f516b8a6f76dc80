import { type PageProps, single, titled } from '@/app/page-props';
import { billRow } from '@/components/dashboard/bill-list/bill-row';
import { ExportDialog } from '@/components/dashboard/bill-list/export-dialog';
import { FilterForm, FilterLine, listAddress, QueryProblems, unfiltered } from '@/components/dashboard/bill-list/filter-form';
import { LiveBills } from '@/components/dashboard/bill-list/live-bills';
import { ViewForm } from '@/components/dashboard/bill-list/view-form';
import { Help } from '@/components/dashboard/help/help';
import { MissingLink } from '@/components/dashboard/shell/notices';
import { NotAllowed, Shell } from '@/components/dashboard/shell/shell';
import { Fold } from '@/components/ui/fold';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Icon } from '@/components/ui/icon';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { ButtonLink } from '@/components/ui/links';
import { Nav } from '@/components/ui/nav';
import { type BillQuery, formatBillQuery, inTab, isUnfiltered, parseBillQuery, tabOf } from '@/lib/backoffice/bill-list/bill-query';
import { type BillPage, listBills, NEW_COUNTED } from '@/lib/backoffice/bill-list/list-bills';
import { listViews } from '@/lib/backoffice/views/manage-views';
import { type SavedView, VIEW_NAME_MAX } from '@/lib/backoffice/views/saved-view';
import { openVisit } from '@/lib/entry/server/visit';
import { may, requestPermission } from '@/lib/identity/accounts/access/grant-access';
import { formatMoney, groupDigits } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { closeBillsAction, deleteViewAction, renameViewAction, requestPaymentsAction, saveViewAction } from './actions';

export const generateMetadata = titled('BillList', 'title');

export default async function BillsPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, path: below } = await openVisit(await params, 'bills');
  const values = await searchParams;
  const { query, problems } = parseBillQuery(values);
  const [listed, views] = await Promise.all([
    listBills(runtime, access, { ...query, page: single(values.page) }),
    listViews(runtime, access),
  ]);
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
      texts={['BillExport', 'BillList', 'BillRows', 'Status', 'BulkBills', 'CloseReason']}
    >
      <PageHeader help={<Help text={t('help')} docs="dashboard.md#pages" locale={locale} />} title={t('title')}>
        <div className="flex flex-wrap gap-2">
          {creates && may(access, 'bills.import') && (
            <ButtonLink href={below('bills/import')}>
              <Icon name="upload" />
              <span className="max-sm:sr-only">{t('import')}</span>
            </ButtonLink>
          )}
          {may(access, 'bills.export') && !blank && (
            <ExportDialog address={`${path}/export`} query={formatBillQuery(query).toString()} total={page.totals?.count ?? null} />
          )}
        </div>
      </PageHeader>
      <ViewTabs path={path} query={query} views={views} locale={locale} />
      <QueryProblems problems={page.pageInvalid ? [...problems, { field: 'page', value: '' }] : problems} locale={locale} />
      {!blank && (
        <>
          <BillTabs path={path} query={query} tabs={page.tabs} locale={locale} />
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
              close: changes ? closeBillsAction : null,
              request: may(access, requestPermission(access)) ? requestPaymentsAction : null,
              exported: may(access, 'bills.export') ? `${path}/export` : null,
            }}
          />
        ) : blank ? (
          <EmptyState
            art={access.status === 'active' ? 'empty' : 'activation'}
            title={t('emptyTitle')}
            text={t(access.status !== 'active' ? 'emptyInactive' : access.billsOf === null ? 'emptyText' : 'emptyOwn')}
          >
            <div className="flex flex-wrap justify-center gap-3">
              {creates && (
                <ButtonLink href={below('bills/new')} look="primary">
                  {t('emptyCreate')}
                </ButtonLink>
              )}
              <MissingLink access={access} locale={locale} />
              {access.status === 'active' && may(access, 'keys.view') && <ButtonLink href={below('keys')}>{t('emptyKeys')}</ButtonLink>}
            </div>
          </EmptyState>
        ) : (
          <EmptyState art="notFound" title={t('noneTitle')} text={t('noneText')}>
            <ButtonLink href={listAddress(path, unfiltered(query))}>{t('clear')}</ButtonLink>
          </EmptyState>
        )}
      </Card>
      <ListFooter path={path} query={query} page={page} locale={locale} />
    </Shell>
  );
}

interface ListProps {
  readonly path: string;
  readonly query: BillQuery;
  readonly locale: Locale;
}

/** The totals of all bills of the list, and links to the previous and next page. Very long lists have no totals. */
function ListFooter({ path, query, page: { previous, next, totals }, locale }: ListProps & { readonly page: BillPage }) {
  const t = translator(locale, 'BillList');
  const to = (page: string) => listAddress(path, query, { page });
  return (
    <div className="flex min-h-control flex-wrap items-center justify-between gap-3">
      <Totals totals={totals} locale={locale} />
      {(previous !== null || next !== null) && (
        <nav aria-label={t('pages')} className="flex flex-wrap gap-3">
          {previous !== null && (
            <ButtonLink href={to(previous)} rel="prev">
              <Icon name="left" />
              {t('previous')}
            </ButtonLink>
          )}
          {next !== null && (
            <ButtonLink href={to(next)} rel="next">
              {t('next')}
              <Icon name="right" />
            </ButtonLink>
          )}
        </nav>
      )}
    </div>
  );
}

function Totals({ totals, locale }: Readonly<{ totals: BillPage['totals']; locale: Locale }>) {
  const t = translator(locale, 'BillTotals');
  if (!totals) return <p className="text-muted">{t('manyHint')}</p>;
  if (totals.count === 0) return null;
  const sums = [
    [t('amount'), totals.amount],
    [t('paid'), totals.paid],
    [t('outstanding'), totals.outstanding],
  ] as const;
  return (
    <section aria-label={t('label')} className="flex flex-wrap items-baseline gap-x-5 gap-y-1">
      <p className="font-semibold">{t('count', { count: totals.count, shown: groupDigits(BigInt(totals.count)) })}</p>
      <dl className="flex flex-wrap gap-x-5 gap-y-1">
        {sums.map(([name, amount]) => (
          <div key={name} className="flex flex-wrap items-baseline gap-x-1.5">
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-semibold whitespace-nowrap tabular-nums">{formatMoney(amount)}</dd>
          </div>
        ))}
      </dl>
      {totals.amount - totals.paid !== totals.outstanding && <p className="basis-full text-sm text-muted">{t('outstandingNote')}</p>}
    </section>
  );
}

const BOX = 'rounded-xl border border-line bg-surface p-4';

/** A member's saved views as tabs. The current list can be saved, or renamed or deleted if it is already saved. */
function ViewTabs({ path, query, views, locale }: ListProps & { readonly views: readonly SavedView[] }) {
  const t = translator(locale, 'BillList');
  const address = formatBillQuery(query).toString();
  const current = views.find((view) => view.query === address);
  const tab = (text: string, to: string) => ({ href: to ? `${path}?${to}` : path, text, current: to === address });
  // An unfiltered list cannot be saved.
  if (views.length === 0 && address === '') return null;
  const form = { hidden: { query: address }, label: t('viewName'), nameMax: VIEW_NAME_MAX };
  return (
    <div className="grid gap-2">
      {views.length > 0 && (
        <Nav look="tabs" label={t('views')} items={[tab(t('all'), ''), ...views.map((view) => tab(view.name, view.query))]} />
      )}
      {current ? (
        <Fold key={current.id} title={t('changeView')}>
          <div className={BOX}>
            <ViewForm
              key={current.id}
              {...form}
              hidden={{ ...form.hidden, view: current.id }}
              action={renameViewAction}
              name={current.name}
              button={t('rename')}
            />
            <ActionForm action={deleteViewAction} hidden={{ view: current.id }} className="mt-3">
              <SubmitButton look="plain">{t('deleteView', { name: current.name })}</SubmitButton>
            </ActionForm>
          </div>
        </Fold>
      ) : (
        address !== '' && (
          <Fold key={address} title={t('saveView')}>
            <div className={BOX}>
              <ViewForm key={address} {...form} action={saveViewAction} name="" button={t('save')} />
            </div>
          </Fold>
        )
      )}
    </div>
  );
}

/** One tab for each state of bills, with the number of bills in this state that match the rest of the filter. */
function BillTabs({ path, query, tabs, locale }: ListProps & { readonly tabs: BillPage['tabs'] }) {
  const t = translator(locale, 'BillTabs');
  const current = tabOf(query.filter);
  const items = tabs.map(({ tab, count, more }) => ({
    href: listAddress(path, { ...query, filter: inTab(query.filter, tab) }),
    text: t(tab),
    current: tab === current,
    count: countText(count, more),
  }));
  return <Nav look="tabs" oneLine label={t('label')} items={items} />;
}

/**
 * Returns a number of bills as a text, for example `1,234`. If there may be more bills than `count`, returns a lower limit, for example
 * `1,900+`. Returns undefined if `count` is 0 and there may be more, because then nothing is known.
 */
function countText(count: number, more: boolean): string | undefined {
  if (!more) return groupDigits(BigInt(count));
  if (count === 0) return undefined;
  const certain = count >= 100 ? count - (count % 100) : count;
  return `${groupDigits(BigInt(certain))}+`;
}

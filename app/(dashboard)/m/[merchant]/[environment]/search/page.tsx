import { redirect } from 'next/navigation';
import { type PageProps, single, titled } from '@/app/page-props';
import { BillLine, BillLines } from '@/components/dashboard/bill-list/bill-line';
import { type BillRow, billRow } from '@/components/dashboard/bill-list/bill-row';
import { Help } from '@/components/dashboard/help/help';
import { type FoundRows, foundRows } from '@/components/dashboard/search/found-row';
import { NotAllowed, Shell } from '@/components/dashboard/shell/shell';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { ButtonLink, TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { findBillsById } from '@/lib/backoffice/bill-list/list-bills';
import { MATCH_KINDS } from '@/lib/backoffice/search/group-matches';
import { searchBills } from '@/lib/backoffice/search/search-bills';
import { openVisit } from '@/lib/entry/server/visit';
import { dashboardPath, may } from '@/lib/identity/accounts/access/grant-access';
import { formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

export const generateMetadata = titled('Search', 'title');

const SHOWN = 25;
/** The maximum number of bills if the query parameter `kind` limits the page to one kind of match. */
const SHOWN_ALONE = 100;

export default async function SearchPage({ params, searchParams }: PageProps) {
  const { q, kind } = await searchParams;
  const asked = (single(q) ?? '').slice(0, 255);
  const only = MATCH_KINDS.find((one) => one === kind) ?? null;
  const { runtime, access, locale, path } = await openVisit(
    await params,
    `search?${new URLSearchParams({ q: asked, ...(only && { kind: only }) })}`,
  );
  if (!may(access, 'bills.view')) return <NotAllowed access={access} permission="bills.view" locale={locale} />;
  const { allowed } = runtime.limits.takeSearch(access.user.id);
  const found = allowed ? await searchBills(runtime, access, { typed: asked, shown: only === null ? SHOWN : SHOWN_ALONE }) : null;
  const { exact, groups: all, slow } = found?.ok ? found.value : { exact: null, groups: [], slow: false };
  const groups = all.filter((group) => only === null || group.kind === only);
  const bills = path('bills');
  const ids = new Set(groups.flatMap(({ matches }) => matches.map(({ bill }) => bill.id)));
  const [bill = null] = exact === null && ids.size === 1 ? ids : [exact?.id];
  if (only === null && bill !== null) redirect(`${bills}/${bill}`);
  const t = translator(locale, 'Search');
  const { slug } = access.merchant;
  const elsewhere = access.scope.environment === 'live' ? 'sandbox' : 'live';
  const blank = asked.trim() === '';
  const problem = slow ? t('slow') : allowed ? null : t('often');
  const now = runtime.clock();
  // Ids begin with the time of creation.
  const listed = await findBillsById(runtime, access, [...ids].sort().reverse());
  return (
    <Shell access={access} locale={locale} section={null} asked={asked} texts={['BillRows', 'Status']}>
      <PageHeader
        help={<Help text={t('help')} docs="dashboard.md#pages" locale={locale} />}
        title={blank ? t('nothingAsked') : t('found', { asked })}
        intro={t('how')}
      />
      {problem !== null && <Notice tone="bad" title={problem} />}
      {groups.map((group) => (
        <FoundGroup
          key={group.kind}
          group={foundRows(group, { typed: asked, alone: only !== null, now, locale })}
          rows={listed.filter(({ id }) => group.matches.some(({ bill }) => bill.id === id)).map((one) => billRow(one, { locale, now }))}
          sum={group.matches.reduce((sum, { bill }) => sum + bill.amount, 0n)}
          bills={bills}
          search={path('search')}
          locale={locale}
        />
      ))}
      {!blank && problem === null && groups.length === 0 && (
        <Card>
          <EmptyState art="notFound" title={t('noneTitle')} text={t('noneText', { asked })}>
            <ButtonLink href={`${dashboardPath({ slug, environment: elsewhere, page: 'search' })}?${new URLSearchParams({ q: asked })}`}>
              {t('elsewhere', { environment: translator(locale, 'Dashboard')(elsewhere) })}
            </ButtonLink>
          </EmptyState>
        </Card>
      )}
    </Shell>
  );
}

interface FoundGroupProps {
  readonly group: FoundRows;
  /** The rows of the bill list, newest first. */
  readonly rows: readonly BillRow[];
  /** What the bills of these rows amount to, in senti. */
  readonly sum: bigint;
  /** The address of the bill list. */
  readonly bills: string;
  /** The address of the search page. */
  readonly search: string;
  readonly locale: Locale;
}

/** The found bills of one kind, in the rows of the bill list. */
function FoundGroup({ group: { kind, title, rows: found, more, all }, rows, sum, bills, search, locale }: FoundGroupProps) {
  const t = translator(locale, 'Search');
  const every = all && <TextLink href={`${all.page === 'bills' ? bills : search}?${all.query}`}>{t('all')}</TextLink>;
  const byId = new Map(found.map((row) => [row.id, row]));
  return (
    <Card id={`found-${kind}`} title={title} action={every}>
      <p className="-mt-2 mb-1 text-small text-muted tabular-nums">
        {t(more ? 'sumShown' : 'sum', { count: rows.length, amount: formatMoney(sum) })}
      </p>
      <BillLines label={title}>
        {rows.map((row) => (
          <BillLine key={row.id} bill={row} href={`${bills}/${row.id}`} found={byId.get(row.id)} />
        ))}
      </BillLines>
      {more && all === null && <p className="mt-3 text-muted">{t('more')}</p>}
    </Card>
  );
}

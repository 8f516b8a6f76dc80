import { redirect } from 'next/navigation';
import { type PageProps, single, titled } from '@/app/page-props';
import { Help } from '@/components/dashboard/help/help';
import { FoundGroup } from '@/components/dashboard/search/found-group';
import { foundRows } from '@/components/dashboard/search/found-row';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { ButtonLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { dashboardPath, may } from '@/lib/accounts/access/grant-access';
import { MATCH_KINDS } from '@/lib/bills/search/group-matches';
import { searchBills } from '@/lib/bills/search/search-bills';
import { translator } from '@/lib/i18n/translator';
import { openVisit } from '@/lib/server/visit';

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
  return (
    <Shell access={access} locale={locale} section={null} asked={asked}>
      <PageHeader
        help={<Help page="search" locale={locale} />}
        title={blank ? t('nothingAsked') : t('found', { asked })}
        intro={t('how')}
      />
      {problem !== null && <Notice tone="bad" title={problem} />}
      {groups.map((group) => (
        <FoundGroup
          key={group.kind}
          group={foundRows(group, { typed: asked, alone: only !== null, now, locale })}
          bills={bills}
          search={path('search')}
          locale={locale}
        />
      ))}
      {!blank && problem === null && groups.length === 0 && (
        <Card>
          <EmptyState title={t('noneTitle')} text={t('noneText', { asked })}>
            <ButtonLink href={`${dashboardPath({ slug, environment: elsewhere, page: 'search' })}?${new URLSearchParams({ q: asked })}`}>
              {t('elsewhere', { environment: translator(locale, 'Dashboard')(elsewhere) })}
            </ButtonLink>
          </EmptyState>
        </Card>
      )}
    </Shell>
  );
}

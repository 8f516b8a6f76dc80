import { redirect } from 'next/navigation';
import { type PageProps, single, titled } from '@/app/page-props';
import { FoundBills } from '@/components/dashboard/bill-list/found-bills';
import { Help } from '@/components/dashboard/help/help';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { ButtonLink } from '@/components/ui/links';
import { dashboardPath, may } from '@/lib/accounts/access/grant-access';
import { searchBills } from '@/lib/bills/list/search-bills';
import { translator } from '@/lib/i18n/translator';
import { openVisit } from '@/lib/server/visit';

export const generateMetadata = titled('Search', 'title');

export default async function SearchPage({ params, searchParams }: PageProps) {
  const { q } = await searchParams;
  const asked = (single(q) ?? '').slice(0, 255);
  const { runtime, access, locale, path } = await openVisit(await params, `search?${new URLSearchParams({ q: asked })}`);
  if (!may(access, 'bills.view')) return <NotAllowed access={access} permission="bills.view" locale={locale} />;
  const found = await searchBills(runtime, access, asked);
  const t = translator(locale, 'Search');
  const { slug } = access.merchant;
  const { environment } = access.scope;
  const bills = path('bills');
  const { exact, groups } = found.ok ? found.value : { exact: null, groups: [] };
  if (exact !== null) redirect(`${bills}/${exact.id}`);
  const elsewhere = environment === 'live' ? 'sandbox' : 'live';
  const blank = asked.trim() === '';
  return (
    <Shell access={access} locale={locale} section={null} asked={asked}>
      <PageHeader
        help={<Help page="search" locale={locale} />}
        title={blank ? t('nothingAsked') : t('found', { asked })}
        intro={t('how')}
      />
      {groups.map((group) => (
        <FoundBills key={group.kind} group={group} asked={asked} path={bills} locale={locale} />
      ))}
      {!blank && groups.length === 0 && (
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

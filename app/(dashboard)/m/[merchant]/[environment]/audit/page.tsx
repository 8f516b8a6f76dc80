import { type PageProps, single, titled } from '@/app/page-props';
import { EntryTable } from '@/components/dashboard/audit/entry-table';
import { FilterForm } from '@/components/dashboard/audit/filter-form';
import { VerifyForm } from '@/components/dashboard/audit/verify-form';
import { Help } from '@/components/dashboard/help/help';
import { Pager } from '@/components/dashboard/pager';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { listTeam } from '@/lib/accounts/team/list-team';
import { readCursor, readFilter } from '@/lib/audit/filter-rules';
import { FORMATS } from '@/lib/audit/log/export-entries';
import { listAudit } from '@/lib/audit/log/list-entries';
import { translator } from '@/lib/i18n/translator';
import { openVisit } from '@/lib/server/visit';
import { verifyAction } from './actions';
import { auditQuery } from './query';

export const generateMetadata = titled('Audit', 'title');

export default async function AuditPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, place, path } = await openVisit(await params, 'audit');
  const asked = await searchParams;
  const query = auditQuery((name) => single(asked[name]));
  const before = readCursor(single(asked.before));
  const found = await listAudit(runtime, access, { filter: readFilter(query), before });
  if (!found) return <NotAllowed access={access} permission="audit.view" locale={locale} />;
  const team = await listTeam(runtime, access);
  const t = translator(locale, 'Audit');
  const chosen = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const names = { csv: t('exportCsv'), jsonl: t('exportJsonl') };
  return (
    <Shell access={access} locale={locale} section="audit" texts={['Audit']}>
      <PageHeader
        help={<Help page="audit" locale={locale} />}
        title={t('title')}
        intro={access.role === 'owner' ? `${t('intro')} ${t('people')}` : t('intro')}
      />
      <div className="grid gap-2">
        <div className="flex flex-wrap items-start gap-3">
          <FilterForm path={path('audit')} query={query} people={(team?.members ?? []).map(({ email }) => email)} locale={locale} />
          {FORMATS.map((format) => (
            <a
              key={format}
              href={`${path('audit')}/export?${new URLSearchParams({ ...chosen, format })}`}
              download
              className={buttonClass('plain')}
            >
              <Icon name="download" />
              <span>
                <span className="sr-only">{t('export')}: </span>
                {names[format]}
              </span>
            </a>
          ))}
        </div>
        <p className="text-sm text-muted">{t('exportText')}</p>
      </div>
      <Card id="entries" title={t('entries')}>
        {found.entries.length === 0 ? (
          <EmptyState title={t('emptyTitle')} text={t('emptyText')} />
        ) : (
          <EntryTable entries={found.entries} merchantId={access.scope.merchantId} billPath={(id) => path(`bills/${id}`)} locale={locale} />
        )}
      </Card>
      <Pager path={path('audit')} query={chosen} older={found.older} first={before === null} locale={locale} />
      <Card id="chain" title={t('chainTitle')}>
        <p className="mb-3 max-w-prose text-muted">{t('chainText')}</p>
        <VerifyForm key={path('audit')} action={verifyAction} place={place} />
      </Card>
    </Shell>
  );
}

import { type PageProps, single, titled } from '@/app/page-props';
import { EntryList, FilterForm } from '@/components/dashboard/audit/audit-log';
import { VerifyForm } from '@/components/dashboard/audit/verify-form';
import { Help } from '@/components/dashboard/help/help';
import { Pager } from '@/components/dashboard/pager';
import { NotAllowed, Shell } from '@/components/dashboard/shell/shell';
import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { FORMATS, listAudit } from '@/lib/backoffice/audit-log/audit-log';
import { openVisit } from '@/lib/entry/server/visit';
import { listTeam } from '@/lib/identity/accounts/team/team';
import { readCursor, readFilter } from '@/lib/identity/audit/filter-rules';
import { translator } from '@/lib/platform/i18n/translator';
import { verifyAction } from './actions';
import { auditQuery } from './query';

export const generateMetadata = titled('Audit', 'title');

export default async function AuditPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, path } = await openVisit(await params, 'audit');
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
        help={<Help text={t('help')} docs="dashboard.md#audit-log" locale={locale} />}
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
          <EmptyState art="empty" title={t('emptyTitle')} text={t('emptyText')} />
        ) : (
          <EntryList
            entries={found.entries}
            names={new Map(team?.members.map(({ email, name }) => [email, name]))}
            now={runtime.clock()}
            merchantId={access.scope.merchantId}
            billPath={(id) => path(`bills/${id}`)}
            shiftPath={(id) => path(`counter/shift/${id}`)}
            locale={locale}
          />
        )}
      </Card>
      <Pager path={path('audit')} query={chosen} older={found.older} first={before === null} locale={locale} />
      <Card id="chain" title={t('chainTitle')}>
        <p className="mb-3 max-w-prose text-muted">{t('chainText')}</p>
        <VerifyForm key={path('audit')} action={verifyAction} />
      </Card>
    </Shell>
  );
}

import { Badge, type Look } from '@/components/ui/badge';
import { Card } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import { Nav } from '@/components/ui/nav';
import type { ImportedFile } from '@/lib/backoffice/import/show-import';
import { dashboardPath, type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

const LOOKS = {
  checked: { tone: 'quiet', icon: 'eye' },
  wrong: { tone: 'bad', icon: 'cross' },
  broken: { tone: 'wait', icon: 'half' },
  done: { tone: 'good', icon: 'check' },
} as const satisfies Readonly<Record<string, Look>>;

interface ImportListProps {
  readonly files: readonly ImportedFile[];
  readonly path: string;
  readonly locale: Locale;
}

export function ImportList({ files, path, locale }: ImportListProps) {
  const t = translator(locale, 'Import');
  if (files.length === 0) return null;
  return (
    <Card id="recent" title={t('recent')}>
      <ul className="grid gap-3">
        {files.map((file) => (
          <li
            key={file.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line pb-3 last:border-0 last:pb-0"
          >
            <div className="min-w-0">
              <TextLink href={`${path}/${file.id}`}>{file.fileName}</TextLink>
              <p className="text-sm text-muted">
                {t('recentLine', { count: file.rowCount - file.errorCount, total: formatMoney(file.total) })} ·{' '}
                {formatInstant(file.createdAt, locale)} · {file.createdBy.replace(/^\w+:/, '')}
              </p>
            </div>
            <ImportBadge file={file} locale={locale} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ImportBadge({ file, locale }: { readonly file: ImportedFile; readonly locale: Locale }) {
  const state = file.finishedAt ? 'done' : file.startedAt ? 'broken' : file.errorCount > 0 ? 'wrong' : 'checked';
  return <Badge {...LOOKS[state]} text={translator(locale, 'Import')(`state_${state}`)} />;
}

interface NewBillNavProps {
  readonly access: MerchantAccess;
  readonly current: 'new' | 'import';
  readonly locale: Locale;
}

/** The tabs for creating one bill or importing a file. Not shown to roles that may only create one bill at a time. */
export function NewBillNav({ access, current, locale }: NewBillNavProps) {
  const t = translator(locale, 'NewBill');
  if (!may(access, 'bills.import')) return null;
  const path = (page: string) => dashboardPath({ slug: access.merchant.slug, environment: access.scope.environment, page });
  return (
    <Nav
      look="tabs"
      label={t('how')}
      items={[
        { href: path('bills/new'), text: t('one'), current: current === 'new' },
        { href: path('bills/import'), text: t('many'), current: current === 'import' },
      ]}
    />
  );
}

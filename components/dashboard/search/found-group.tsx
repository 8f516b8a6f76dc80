import Link from 'next/link';
import { Card } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { FoundBill } from './found-bill';
import type { FoundRows } from './found-row';

interface FoundGroupProps {
  readonly group: FoundRows;
  /** The address of the bill list. */
  readonly bills: string;
  /** The address of the search page. */
  readonly search: string;
  readonly locale: Locale;
}

/** The found bills of one kind, on the search page. */
export function FoundGroup({ group: { kind, title, rows, more, all }, bills, search, locale }: FoundGroupProps) {
  const t = translator(locale, 'Search');
  const every = all && <TextLink href={`${all.page === 'bills' ? bills : search}?${all.query}`}>{t('all')}</TextLink>;
  return (
    <Card id={`found-${kind}`} title={title} action={every}>
      <ul className="-mx-2">
        {rows.map((row) => (
          <li key={row.id} className="border-b border-line last:border-0">
            <Link href={`${bills}/${row.id}`} prefetch={false} className="block rounded px-2 py-2 hover:bg-ground">
              <FoundBill row={row} wide />
            </Link>
          </li>
        ))}
      </ul>
      {more && all === null && <p className="mt-3 text-muted">{t('more')}</p>}
    </Card>
  );
}

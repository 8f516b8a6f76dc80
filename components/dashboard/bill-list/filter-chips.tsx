import Link from 'next/link';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import type { QueryProblem } from '@/lib/bills/list/parse-filter';
import { type Locale, translator } from '@/lib/i18n/translator';
import { type FilterPart, listAddress } from './describe-filter';

/** The active filters. A click removes one. */
export function FilterChips({ path, parts, locale }: Readonly<{ path: string; parts: readonly FilterPart[]; locale: Locale }>) {
  const t = translator(locale, 'BillList');
  if (parts.length === 0) return null;
  return (
    <ul aria-label={t('filteredBy')} className="flex flex-wrap gap-2">
      {parts.map(({ text, without }) => (
        <li key={text} className="max-w-full">
          <Link
            href={listAddress(path, without)}
            prefetch={false}
            aria-label={t('remove', { filter: text })}
            className="flex min-h-9 max-w-full items-center gap-2 rounded-full border border-brand bg-brand-soft px-3 py-1 text-sm font-semibold text-brand-deep wrap-anywhere"
          >
            {text}
            <Icon name="cross" className="size-3.5" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Lists the invalid parts of the query, which were ignored. */
export function QueryProblems({ problems, locale }: { readonly problems: readonly QueryProblem[]; readonly locale: Locale }) {
  const t = translator(locale, 'BillList');
  if (problems.length === 0) return null;
  return (
    <Notice tone="wait" role="status" title={t('notUnderstood')}>
      <ul className="list-disc pl-5">
        {problems.map(({ field, value }) => (
          <li key={`${field} ${value}`}>{t(`problem_${field}`, { value: value.slice(0, 80) })}</li>
        ))}
      </ul>
    </Notice>
  );
}

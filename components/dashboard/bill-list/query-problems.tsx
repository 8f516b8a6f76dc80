import { Notice } from '@/components/ui/notice';
import type { QueryProblem } from '@/lib/bills/list/parse-filter';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

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

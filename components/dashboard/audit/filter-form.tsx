import { Button } from '@/components/ui/button';
import { Field, Select } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { ButtonLink } from '@/components/ui/links';
import { listActions } from '@/lib/audit/describe-entry';
import { ACTOR_KINDS, type AuditQuery } from '@/lib/audit/filter-rules';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

interface FilterFormProps {
  readonly path: string;
  readonly query: AuditQuery;
  /** The e-mail addresses of the team. */
  readonly people: readonly string[];
  readonly locale: Locale;
}

/** The filter of the audit log. It is closed at first and shows how many fields are set. */
export function FilterForm({ path, query, people, locale }: FilterFormProps) {
  const t = translator(locale, 'Audit');
  const who = [
    { value: '', text: t('anybody') },
    ...people.map((email) => ({ value: `user:${email}`, text: email })),
    ...ACTOR_KINDS.map((kind) => ({ value: kind, text: t(`by_${kind}`) })),
  ];
  const what = [{ value: '', text: t('anything') }, ...listActions(locale).map(({ action, text }) => ({ value: action, text }))];
  const used = Object.values(query).filter((value) => value !== '').length;
  return (
    <details
      className="group grow basis-full rounded-xl border border-line bg-surface sm:basis-52 sm:open:basis-full"
      key={Object.values(query).join()}
    >
      <summary className="flex min-h-control cursor-pointer items-center gap-2 rounded-xl px-4 py-2 font-semibold text-brand">
        <Icon name="filter" />
        {used === 0 ? t('filter') : t('filters', { count: used })}
        <Icon name="down" className="ml-auto size-4 group-open:rotate-180" />
      </summary>
      <form
        action={path}
        className="grid gap-4 border-t border-line p-4 sm:grid-cols-2 xl:grid-cols-[1.5fr_1.5fr_1fr_1fr_auto] xl:items-end"
      >
        <Select id="by" label={t('by')} options={who} defaultValue={query.by} />
        <Select id="action" label={t('action')} options={what} defaultValue={query.action} />
        <Field id="from" type="date" label={t('from')} defaultValue={query.from} />
        <Field id="to" type="date" label={t('to')} defaultValue={query.to} />
        <div className="flex gap-3">
          <Button>{t('show')}</Button>
          {used > 0 && <ButtonLink href={path}>{t('clear')}</ButtonLink>}
        </div>
      </form>
    </details>
  );
}

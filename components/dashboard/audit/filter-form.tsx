import Link from 'next/link';
import { Button, buttonClass } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { listActions } from '@/lib/audit/describe-entry';
import { ACTOR_KINDS, type AuditQuery } from '@/lib/audit/filter-rules';
import { type Locale, translator } from '@/lib/i18n/translator';

interface FilterFormProps {
  readonly path: string;
  readonly query: AuditQuery;
  /** E-mail addresses of the team. */
  readonly people: readonly string[];
  readonly locale: Locale;
}

export function FilterForm({ path, query, people, locale }: FilterFormProps) {
  const t = translator(locale, 'Audit');
  const who = [
    { value: '', text: t('anybody') },
    ...people.map((email) => ({ value: `user:${email}`, text: email })),
    ...ACTOR_KINDS.map((kind) => ({ value: kind, text: t(`by_${kind}`) })),
  ];
  const what = [{ value: '', text: t('anything') }, ...listActions(locale).map(({ action, text }) => ({ value: action, text }))];
  return (
    <form action={path} className="grid gap-4 sm:grid-cols-2 xl:grid-cols-[1.5fr_1.5fr_1fr_1fr_auto] xl:items-end">
      <Select id="by" label={t('by')} options={who} defaultValue={query.by} />
      <Select id="action" label={t('action')} options={what} defaultValue={query.action} />
      <Field id="from" type="date" label={t('from')} defaultValue={query.from} />
      <Field id="to" type="date" label={t('to')} defaultValue={query.to} />
      <div className="flex gap-3">
        <Button>{t('show')}</Button>
        {Object.values(query).some((value) => value !== '') && (
          <Link href={path} prefetch={false} className={buttonClass('plain')}>
            {t('clear')}
          </Link>
        )}
      </div>
    </form>
  );
}

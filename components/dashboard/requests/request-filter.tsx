import { Field, Select } from '@/components/ui/forms/fields';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { KeyView } from '@/lib/keys/key-view';
import { type RequestQuery, STATUS_CLASSES } from '@/lib/requests/request-query';
import { LogFilter } from '../log-filter';

interface RequestFilterProps {
  readonly query: RequestQuery;
  readonly keys: readonly Pick<KeyView, 'id' | 'label'>[];
  readonly path: string;
  readonly locale: Locale;
}

export function RequestFilter({ query, keys, path, locale }: RequestFilterProps) {
  const t = translator(locale, 'Requests');
  const any = { value: '', text: t('any') };
  const classes = STATUS_CLASSES.map((value) => ({ value, text: t(`class_${value}`) }));
  return (
    <LogFilter path={path} query={query} t={t}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select id="status" label={t('status')} options={[any, ...classes]} defaultValue={query.status} />
        <Select
          id="key"
          label={t('key')}
          options={[any, ...keys.map(({ id, label }) => ({ value: id, text: label }))]}
          defaultValue={query.key}
        />
        <Field id="path" label={t('path')} defaultValue={query.path} maxLength={200} autoComplete="off" />
        <Field id="request" label={t('request')} hint={t('requestHint')} defaultValue={query.request} maxLength={100} autoComplete="off" />
      </div>
    </LogFilter>
  );
}

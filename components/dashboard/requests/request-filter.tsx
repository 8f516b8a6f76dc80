import { Button, buttonClass } from '@/components/ui/button';
import { Field, Select } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { KeyView } from '@/lib/keys/key-view';
import { type RequestQuery, STATUS_CLASSES } from '@/lib/requests/request-query';

interface RequestFilterProps {
  readonly query: RequestQuery;
  readonly keys: readonly Pick<KeyView, 'id' | 'label'>[];
  readonly path: string;
  readonly locale: Locale;
}

/** The filter of the request log. It is a GET form, so its address can be saved and shared. */
export function RequestFilter({ query, keys, path, locale }: RequestFilterProps) {
  const t = translator(locale, 'Requests');
  const any = { value: '', text: t('any') };
  const classes = STATUS_CLASSES.map((value) => ({ value, text: t(`class_${value}`) }));
  const asked = Object.values(query).some((value) => value !== '');
  return (
    <details open={asked} className="rounded-xl border border-line bg-surface px-4">
      <summary className="flex min-h-control cursor-pointer list-none items-center gap-2 font-semibold text-brand">
        <Icon name="filter" /> {t('filter')}
      </summary>
      <form action={path} className="grid gap-4 pb-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Select id="status" label={t('status')} options={[any, ...classes]} defaultValue={query.status} />
          <Select
            id="key"
            label={t('key')}
            options={[any, ...keys.map(({ id, label }) => ({ value: id, text: label }))]}
            defaultValue={query.key}
          />
          <Field id="path" label={t('path')} defaultValue={query.path} maxLength={200} autoComplete="off" />
          <Field
            id="request"
            label={t('request')}
            hint={t('requestHint')}
            defaultValue={query.request}
            maxLength={100}
            autoComplete="off"
          />
        </div>
        <div className="flex flex-wrap gap-3">
          <Button>{t('apply')}</Button>
          {asked && (
            <a href={path} className={buttonClass('plain')}>
              {t('clear')}
            </a>
          )}
        </div>
      </form>
    </details>
  );
}

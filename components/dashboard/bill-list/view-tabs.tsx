import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Nav } from '@/components/ui/nav';
import { type BillQuery, formatBillQuery } from '@/lib/bills/filter';
import { type SavedView, VIEW_NAME_MAX } from '@/lib/bills/saved-view';
import { type Locale, translator } from '@/lib/i18n/translator';
import { ViewForm, type ViewFormState } from './view-form';

type FormAction = (before: ViewFormState, form: FormData) => Promise<ViewFormState>;

interface ViewTabsProps {
  readonly path: string;
  readonly query: BillQuery;
  readonly views: readonly SavedView[];
  /** What every form sends along: the merchant and the environment. */
  readonly place: Readonly<Record<string, string>>;
  readonly save: FormAction;
  readonly rename: FormAction;
  readonly remove: (form: FormData) => Promise<void>;
  readonly locale: Locale;
}

/** A person's lists as tabs, and what can be done with the one on screen: kept, when it is none of them, else renamed or deleted. */
export function ViewTabs({ path, query, views, place, save, rename, remove, locale }: ViewTabsProps) {
  const t = translator(locale, 'BillList');
  const address = formatBillQuery(query).toString();
  const current = views.find((view) => view.query === address);
  const tab = (text: string, to: string) => ({ href: to ? `${path}?${to}` : path, text, current: to === address });
  const form = { hidden: { ...place, query: address }, label: t('viewName'), nameMax: VIEW_NAME_MAX };
  return (
    <div className="grid gap-2">
      {views.length > 0 && (
        <Nav look="tabs" label={t('views')} items={[tab(t('all'), ''), ...views.map((view) => tab(view.name, view.query))]} />
      )}
      {current ? (
        <Fold key={current.id} summary={t('changeView')}>
          <ViewForm
            key={current.id}
            {...form}
            hidden={{ ...form.hidden, view: current.id }}
            action={rename}
            name={current.name}
            button={t('rename')}
          />
          <form action={remove} className="mt-3">
            {Object.entries({ ...place, view: current.id }).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <Button look="plain">{t('deleteView', { name: current.name })}</Button>
          </form>
        </Fold>
      ) : (
        address !== '' && (
          <Fold key={address} summary={t('saveView')}>
            <ViewForm key={address} {...form} action={save} name="" button={t('save')} />
          </Fold>
        )
      )}
    </div>
  );
}

function Fold({ summary, children }: { readonly summary: string; readonly children: ReactNode }) {
  return (
    <details className="group">
      <summary className="inline-flex min-h-11 cursor-pointer items-center gap-2 px-1 text-sm font-semibold text-brand">
        {summary}
        <Icon name="down" className="size-4 group-open:rotate-180" />
      </summary>
      <div className="rounded-xl border border-line bg-surface p-4">{children}</div>
    </details>
  );
}

import type { ReactNode } from 'react';
import { ActionForm, type FormAction } from '@/components/ui/action-form';
import { Icon } from '@/components/ui/icon';
import { Nav } from '@/components/ui/nav';
import { SubmitButton } from '@/components/ui/submit-button';
import { type BillQuery, formatBillQuery } from '@/lib/bills/filter';
import { type SavedView, VIEW_NAME_MAX } from '@/lib/bills/saved-view';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { Place } from '../place';
import { ViewForm, type ViewFormState } from './view-form';

interface ViewTabsProps {
  readonly path: string;
  readonly query: BillQuery;
  readonly views: readonly SavedView[];
  readonly place: Place;
  readonly save: FormAction<ViewFormState>;
  readonly rename: FormAction<ViewFormState>;
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
          <ActionForm action={remove} hidden={{ ...place, view: current.id }} className="mt-3">
            <SubmitButton look="plain">{t('deleteView', { name: current.name })}</SubmitButton>
          </ActionForm>
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

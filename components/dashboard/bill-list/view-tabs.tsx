import { Fold } from '@/components/ui/fold';
import { ActionForm, type FormAction, SubmitButton } from '@/components/ui/forms/action-form';
import { Nav } from '@/components/ui/nav';
import { type BillQuery, formatBillQuery } from '@/lib/bills/list/filter';
import { type SavedView, VIEW_NAME_MAX } from '@/lib/bills/views/saved-view';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
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

const BOX = 'rounded-xl border border-line bg-surface p-4';

/** A member's saved views as tabs. The current list can be saved, or renamed or deleted if it is already saved. */
export function ViewTabs({ path, query, views, place, save, rename, remove, locale }: ViewTabsProps) {
  const t = translator(locale, 'BillList');
  const address = formatBillQuery(query).toString();
  const current = views.find((view) => view.query === address);
  const tab = (text: string, to: string) => ({ href: to ? `${path}?${to}` : path, text, current: to === address });
  // An unfiltered list cannot be saved.
  if (views.length === 0 && address === '') return null;
  const form = { hidden: { ...place, query: address }, label: t('viewName'), nameMax: VIEW_NAME_MAX };
  return (
    <div className="grid gap-2">
      {views.length > 0 && (
        <Nav look="tabs" label={t('views')} items={[tab(t('all'), ''), ...views.map((view) => tab(view.name, view.query))]} />
      )}
      {current ? (
        <Fold key={current.id} title={t('changeView')}>
          <div className={BOX}>
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
          </div>
        </Fold>
      ) : (
        address !== '' && (
          <Fold key={address} title={t('saveView')}>
            <div className={BOX}>
              <ViewForm key={address} {...form} action={save} name="" button={t('save')} />
            </div>
          </Fold>
        )
      )}
    </div>
  );
}

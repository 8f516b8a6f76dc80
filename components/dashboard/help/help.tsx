import { Icon } from '@/components/ui/icon';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { webRuntime } from '@/lib/server/web-runtime';
import { type HelpPage, helpAddress } from './help-pages';

/** A button "?" next to the title of a page. It opens three sentences that explain the page, also without JavaScript. */
export function Help({ page, locale }: { readonly page: HelpPage; readonly locale: Locale }) {
  const t = translator(locale, 'Help');
  const docs = helpAddress(page, locale, webRuntime().settings.DOCS_URL);
  return (
    // The size is fixed, so that the page does not move if the browser paints the button before its icon.
    <details className="group -my-1 size-control print:hidden">
      <summary
        aria-label={t('open')}
        className="grid size-control cursor-pointer list-none place-items-center rounded-full text-muted hover:bg-sunken hover:text-ink group-open:bg-sunken group-open:text-ink"
      >
        <Icon name="help" className="size-5" />
      </summary>
      <div className="absolute inset-x-0 z-30 mt-1 rounded-xl border border-line bg-surface p-4 shadow-lg sm:right-auto sm:w-96">
        <p>{t(page)}</p>
        {docs && (
          <p className="mt-2">
            <a href={docs} className="font-semibold text-brand underline underline-offset-2">
              {t('docs')}
            </a>
          </p>
        )}
      </div>
    </details>
  );
}

import { Icon } from '@/components/ui/icon';
import { webRuntime } from '@/lib/entry/server/web-runtime';
import { docsAddress } from '@/lib/platform/config/docs-address';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

interface HelpProps {
  /** Three sentences that explain the page. */
  readonly text: string;
  /**
   * The section of the documentation about the page: a page for developers, which every installation serves at `/docs`, or a file of the
   * folder `docs`.
   */
  readonly docs: string;
  readonly locale: Locale;
}

/** A button "?" next to the title of a page. It opens sentences that explain the page, also without JavaScript. */
export function Help({ text, docs, locale }: HelpProps) {
  const t = translator(locale, 'Help');
  const address = helpAddress(docs, locale, webRuntime().settings.DOCS_URL);
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
        <p>{text}</p>
        {address && (
          <p className="mt-2">
            <a href={address} className="font-semibold text-brand underline underline-offset-2">
              {t('docs')}
            </a>
          </p>
        )}
      </div>
    </details>
  );
}

/** Returns the address of a section of the documentation, or null if the operator publishes none. @param docsUrl the setting DOCS_URL */
export function helpAddress(docs: string, locale: Locale, docsUrl: string | undefined): string | null {
  if (docs.startsWith('/docs/')) return locale === 'sw' ? docs.replace('/docs/', '/docs/sw/') : docs;
  return docsUrl === undefined ? null : docsAddress(docsUrl, docs);
}

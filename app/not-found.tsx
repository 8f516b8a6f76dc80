import { titled } from '@/app/page-props';
import { LanguageSwitch } from '@/components/dashboard/shell/preferences';
import { Contact } from '@/components/pay/contact';
import { buttonClass } from '@/components/ui/button';
import { Wordmark } from '@/components/ui/icon';
import { Illustration } from '@/components/ui/illustration';
import { pageLocale } from '@/lib/entry/server/preferences';
import { webRuntime } from '@/lib/entry/server/web-runtime';
import { translator } from '@/lib/platform/i18n/translator';

export const generateMetadata = titled('Dashboard', 'notFoundTitle');

/**
 * The page for an object of the dashboard that does not exist, and also for one that belongs to somebody else, so that nobody can tell which
 * it is. For other unknown addresses, the listener shows the same texts without Next.js.
 */
export default async function NotFoundPage() {
  const locale = await pageLocale();
  const t = translator(locale, 'Dashboard');
  const help = translator(locale, 'NotFound');
  const contact = webRuntime().settings.OPERATOR_CONTACT;
  return (
    <div className="mx-auto flex min-h-dvh max-w-md flex-col px-4 py-4 sm:py-12">
      <header className="mb-4 flex items-center justify-between">
        {/* The home page is not rendered by Next.js, so it is opened as another document. */}
        <a href="/" className="inline-flex min-h-11 items-center rounded-md">
          <Wordmark />
        </a>
        {/* The text, not the padding of the button, ends where the card below ends. */}
        <div className="-mr-2">
          <LanguageSwitch locale={locale} full />
        </div>
      </header>
      <main className="grid gap-4 rounded-xl border border-line bg-surface p-5">
        <Illustration name="notFound" className="mx-auto text-brand" />
        <h1 className="text-title">{t('notFoundTitle')}</h1>
        <p>{t('notFoundText')}</p>
        <ul className="grid list-disc gap-1 pl-5">
          <li>{help('check')}</li>
          <li>{help('ask')}</li>
        </ul>
        {contact !== undefined && (
          <p className="wrap-anywhere">
            {help('contact')} <Contact contact={contact} />
          </p>
        )}
        <div className="grid gap-3 sm:grid-cols-2">
          <a href="/" className={buttonClass('primary')}>
            {t('toStart')}
          </a>
          <a href="/sign-in" className={buttonClass('plain')}>
            {translator(locale, 'Home')('signIn')}
          </a>
        </div>
      </main>
    </div>
  );
}

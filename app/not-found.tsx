import type { Metadata } from 'next';
import { PlainPage } from '@/components/dashboard/auth/plain-page';
import { Contact } from '@/components/pay/contact';
import { buttonClass } from '@/components/ui/button';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { webRuntime } from '@/lib/server/web-runtime';

export async function generateMetadata(): Promise<Metadata> {
  return { title: translator(await pageLocale(), 'Dashboard')('notFoundTitle') };
}

/** The page for an address that does not exist, and also for one that belongs to somebody else, so that nobody can tell which it is. */
export default async function NotFoundPage() {
  const locale = await pageLocale();
  const t = translator(locale, 'Dashboard');
  const help = translator(locale, 'NotFound');
  const contact = webRuntime().settings.OPERATOR_CONTACT;
  return (
    <PlainPage locale={locale} title={t('notFoundTitle')}>
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
      <a href="/" className={buttonClass('primary')}>
        {t('toStart')}
      </a>
    </PlainPage>
  );
}

import Link from 'next/link';
import { PlainPage } from '@/components/dashboard/auth/plain-page';
import { buttonClass } from '@/components/ui/button';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';

/** The page for an address that does not exist, and also for one that belongs to somebody else, so that nobody can tell which it is. */
export default async function NotFoundPage() {
  const locale = await pageLocale();
  const t = translator(locale, 'Dashboard');
  return (
    <PlainPage locale={locale} title={t('notFoundTitle')}>
      <p>{t('notFoundText')}</p>
      <Link href="/" prefetch={false} className={buttonClass('plain')}>
        {t('toStart')}
      </Link>
    </PlainPage>
  );
}

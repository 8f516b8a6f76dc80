import { PlainPage } from '@/components/dashboard/auth/plain-page';
import { ButtonLink } from '@/components/ui/links';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';

/** The page for an address that does not exist, and also for one that belongs to somebody else, so that nobody can tell which it is. */
export default async function NotFoundPage() {
  const locale = await pageLocale();
  const t = translator(locale, 'Dashboard');
  return (
    <PlainPage locale={locale} title={t('notFoundTitle')}>
      <p>{t('notFoundText')}</p>
      <ButtonLink href="/">{t('toStart')}</ButtonLink>
    </PlainPage>
  );
}

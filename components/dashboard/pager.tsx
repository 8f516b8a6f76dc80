import { ButtonLink } from '@/components/ui/links';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

interface PagerProps {
  readonly path: string;
  /** The filter, which all pages share. */
  readonly query?: Readonly<Record<string, string>>;
  readonly older: string | null;
  readonly first: boolean;
  readonly locale: Locale;
}

/** Links to older entries and back to the newest. */
export function Pager({ path, query = {}, older, first, locale }: PagerProps) {
  const t = translator(locale, 'Dashboard');
  if (older === null && first) return null;
  const address = (more: Record<string, string>) => {
    const text = new URLSearchParams({ ...query, ...more }).toString();
    return text ? `${path}?${text}` : path;
  };
  return (
    <nav aria-label={t('pages')} className="flex flex-wrap gap-3">
      {!first && <ButtonLink href={address({})}>{t('newest')}</ButtonLink>}
      {older !== null && <ButtonLink href={address({ before: older })}>{t('older')}</ButtonLink>}
    </nav>
  );
}

import Link from 'next/link';
import { Icon } from '@/components/ui/icon';
import { dashboardPath, type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { type Locale, translator } from '@/lib/i18n/translator';
import { SECTIONS, type Section } from './section';

/** Links to the pages that the viewer may open. */
export function SectionNav({ access, section, locale }: { access: MerchantAccess; section: Section | null; locale: Locale }) {
  const t = translator(locale, 'Shell');
  const { slug } = access.merchant;
  const { environment } = access.scope;
  return (
    <nav aria-label={translator(locale, 'Dashboard')('navigation')}>
      <ul className="grid gap-1">
        {SECTIONS.filter(({ permission }) => may(access, permission)).map(({ section: page, icon }) => (
          <li key={page}>
            <Link
              href={dashboardPath({ slug, environment, page })}
              prefetch={false}
              aria-current={page === section ? 'page' : undefined}
              className="flex min-h-11 items-center gap-3 rounded-lg px-3 font-semibold hover:bg-sunken aria-[current]:bg-brand-soft aria-[current]:text-brand"
            >
              <Icon name={icon} className="size-5" />
              {t(page)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

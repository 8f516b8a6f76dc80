import Link from 'next/link';
import { Icon, type IconName } from '@/components/ui/icon';
import { dashboardPath, type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { Permission } from '@/lib/accounts/permissions';
import { type Locale, translator } from '@/lib/i18n/translator';

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

/** The pages of a merchant's environment in the order of the navigation, with the permission that each requires. */
const SECTIONS = [
  { section: 'overview', icon: 'gauge', permission: 'overview.view' },
  { section: 'bills', icon: 'document', permission: 'bills.view' },
  { section: 'webhooks', icon: 'send', permission: 'webhooks.view' },
  { section: 'keys', icon: 'key', permission: 'keys.view' },
  { section: 'team', icon: 'people', permission: 'team.view' },
  { section: 'settings', icon: 'sliders', permission: 'settings.view' },
  { section: 'audit', icon: 'list', permission: 'audit.view' },
] as const satisfies readonly { readonly section: string; readonly icon: IconName; readonly permission: Permission }[];

export type Section = (typeof SECTIONS)[number]['section'];

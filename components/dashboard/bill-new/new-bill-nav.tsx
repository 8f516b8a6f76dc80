import { Nav } from '@/components/ui/nav';
import { dashboardPath, type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

interface NewBillNavProps {
  readonly access: MerchantAccess;
  readonly current: 'new' | 'import';
  readonly locale: Locale;
}

/** The tabs for creating one bill or importing a file. Not shown to roles that may only create one bill at a time. */
export function NewBillNav({ access, current, locale }: NewBillNavProps) {
  const t = translator(locale, 'NewBill');
  if (!may(access, 'bills.import')) return null;
  const path = (page: string) => dashboardPath({ slug: access.merchant.slug, environment: access.scope.environment, page });
  return (
    <Nav
      look="tabs"
      label={t('how')}
      items={[
        { href: path('bills/new'), text: t('one'), current: current === 'new' },
        { href: path('bills/import'), text: t('many'), current: current === 'import' },
      ]}
    />
  );
}

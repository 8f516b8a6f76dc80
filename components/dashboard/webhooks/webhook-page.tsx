import type { ReactNode } from 'react';
import { Help } from '@/components/dashboard/help/help';
import { Shell } from '@/components/dashboard/shell/shell';
import { PageHeader } from '@/components/ui/layout';
import { Nav } from '@/components/ui/nav';
import { dashboardPath, type MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { roleMay } from '@/lib/identity/accounts/permissions';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

const TABS = [
  { tab: 'endpoint', page: 'webhooks', office: false },
  { tab: 'deliveries', page: 'webhooks/deliveries', office: false },
  { tab: 'tests', page: 'webhooks/tests', office: false },
  { tab: 'again', page: 'webhooks/resend', office: false },
  { tab: 'explain', page: 'webhooks/signature', office: false },
  { tab: 'secret', page: 'webhooks/secret', office: true },
] as const;

interface WebhookPageProps {
  readonly access: MerchantAccess;
  readonly locale: Locale;
  readonly tab: (typeof TABS)[number]['tab'];
  readonly children: ReactNode;
}

export function WebhookPage({ access, locale, tab: shown, children }: WebhookPageProps) {
  const t = translator(locale, 'Hooks');
  const w = translator(locale, 'Webhooks');
  const place = { slug: access.merchant.slug, environment: access.scope.environment };
  const items = TABS.filter(({ office }) => !office || roleMay(access.role, 'webhooks.change')).map(({ tab, page }) => ({
    href: dashboardPath({ ...place, page }),
    text: t(`tab_${tab}`),
    current: tab === shown,
  }));
  return (
    <Shell access={access} locale={locale} section="webhooks" texts={['Hooks']}>
      <PageHeader help={<Help text={w('help')} docs="/docs/webhooks" locale={locale} />} title={w('title')} intro={w('intro')} />
      <Nav look="tabs" oneLine label={t('tabs')} items={items} />
      {children}
    </Shell>
  );
}

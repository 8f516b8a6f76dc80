import { Nav } from '@/components/ui/nav';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

const TABS = ['keys', 'requests'] as const;

interface KeyTabsProps {
  readonly shown: (typeof TABS)[number];
  readonly path: (page: string) => string;
  readonly locale: Locale;
}

/** Links to the keys and to the log of the requests that were sent with them. */
export function KeyTabs({ shown, path, locale }: KeyTabsProps) {
  const t = translator(locale, 'Requests');
  const items = TABS.map((tab) => ({ href: path(tab), text: t(`tab_${tab}`), current: tab === shown }));
  return <Nav look="tabs" label={t('tabs')} items={items} />;
}

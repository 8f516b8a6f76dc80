// The client components of most pages, and all of a bill's page, are in the scripts of the layout, which pages share. So a page loads only
// few scripts of its own, and a tap on a bill needs none: React shows no part of a page before it has all scripts of that page.
import '@/components/dashboard/alerts/bell';
import '@/components/dashboard/auth/password-field';
import '@/components/dashboard/bill-page/forms';
import '@/components/dashboard/live-refresh';
import '@/components/dashboard/refunds/refund-forms';
import '@/components/dashboard/result-notice';
import '@/components/dashboard/search/search-box';
import '@/components/dashboard/shell/next-page';
import '@/components/dashboard/shell/sign-out-guard';
import '@/components/ui/copied-value';
import '@/components/ui/sheet';
import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { pageLocale } from '@/lib/entry/server/preferences';
import { findVisit } from '@/lib/entry/server/visit';
import { translator } from '@/lib/platform/i18n/translator';

interface LayoutProps {
  readonly params: Promise<{ merchant: string; environment: string }>;
  readonly children: ReactNode;
}

/**
 * Sets the title, so that tabs differ by page, merchant and environment. Only members see the merchant's name. The merchant's name replaces
 * the product's name, because "bili" is also the Swahili word for bills.
 */
export async function generateMetadata({ params }: LayoutProps): Promise<Metadata> {
  const place = await params;
  const visit = await findVisit(place);
  const sandbox = place.environment === 'sandbox' ? translator(await pageLocale(), 'Dashboard')('sandbox') : null;
  const parts = ['%s', visit?.access.merchant.name ?? 'Bili', sandbox].filter(Boolean);
  return { title: { default: 'Bili', template: parts.join(' · ') } };
}

/** The layout only sets titles. Each page checks the access itself. */
export default function EnvironmentLayout({ children }: LayoutProps) {
  return children;
}

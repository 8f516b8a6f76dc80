import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { findVisit } from '@/lib/server/visit';

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

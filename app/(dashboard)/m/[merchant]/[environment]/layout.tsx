import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { peekVisit } from '@/lib/server/visit';

interface LayoutProps {
  readonly params: Promise<{ merchant: string; environment: string }>;
  readonly children: ReactNode;
}

/** Tells tabs apart: by page, merchant and environment. The merchant's name is for its people alone. */
export async function generateMetadata({ params }: LayoutProps): Promise<Metadata> {
  const place = await params;
  const visit = await peekVisit(place);
  const sandbox = place.environment === 'sandbox' ? translator(await pageLocale(), 'Dashboard')('sandbox') : null;
  const parts = ['%s', visit?.access.merchant.name, sandbox, 'Bili'].filter(Boolean);
  return { title: { default: 'Bili', template: parts.join(' · ') } };
}

/** Only names its pages: each of them decides for itself who sees it. */
export default function EnvironmentLayout({ children }: LayoutProps) {
  return children;
}

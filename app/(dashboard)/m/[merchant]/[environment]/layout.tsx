import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';

interface LayoutProps {
  readonly params: Promise<{ environment: string }>;
  readonly children: ReactNode;
}

/** Tells the tabs of the two environments apart. */
export async function generateMetadata({ params }: LayoutProps): Promise<Metadata> {
  const { environment } = await params;
  const sandbox = environment === 'sandbox' ? `${translator(await pageLocale(), 'Dashboard')('sandbox')} · ` : '';
  return { title: { default: 'Bili', template: `%s · ${sandbox}Bili` } };
}

/** Only names its pages: each of them decides for itself who sees it. */
export default function EnvironmentLayout({ children }: LayoutProps) {
  return children;
}

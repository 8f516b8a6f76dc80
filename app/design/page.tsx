import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { DesignSystem } from '@/components/design/design-system';

export const metadata: Metadata = { title: 'Design system' };

/** Shows the design system. Only developers need it, so it does not exist in production. */
export default function DesignPage() {
  if (process.env.NODE_ENV === 'production') notFound();
  return <DesignSystem now={new Date()} />;
}

import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { pageLocale } from '@/lib/server/visit';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Bili', template: '%s · Bili' },
  robots: { index: false },
  icons: { icon: 'data:,' },
};

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang={await pageLocale()}>
      <body className="font-sans">{children}</body>
    </html>
  );
}

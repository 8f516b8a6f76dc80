import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { pageLocale, pageTheme } from '@/lib/server/preferences';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Bili', template: '%s · Bili' },
  robots: { index: false },
  icons: { icon: 'data:,' },
};

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang={await pageLocale()} data-theme={await pageTheme()}>
      <body className="font-sans">{children}</body>
    </html>
  );
}

import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { ConnectionTexts } from '@/components/ui/forms/connection';
import { ConnectionDialog, OfflineGuard } from '@/components/ui/forms/connection-dialog';
import { pageLocale, pageTheme } from '@/lib/entry/server/preferences';
import { webRuntime } from '@/lib/entry/server/web-runtime';
import { messagesOf } from '@/lib/platform/i18n/translator';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Bili', template: '%s · Bili' },
  robots: { index: false },
  icons: {
    icon: [
      { url: '/favicon.ico', sizes: '48x48' },
      { url: '/icon.svg', type: 'image/svg+xml' },
    ],
    apple: '/apple-touch-icon.png',
  },
  manifest: '/manifest.webmanifest',
};

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f3f5f2' },
    { media: '(prefers-color-scheme: dark)', color: '#0f1613' },
  ],
};

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  const locale = await pageLocale();
  return (
    // The error page reads the contact here, because it is shown when the server has not answered.
    <html lang={locale} data-theme={await pageTheme()} data-contact={webRuntime().settings.OPERATOR_CONTACT}>
      <body className="font-sans">
        <ConnectionTexts words={messagesOf(locale, 'Line')}>
          {/* Fills the window, also with a short page, so that the notices below start at its bottom. */}
          <div className="flow-root min-h-dvh print:min-h-0">{children}</div>
          {/* The notices of these two stick to the bottom of the window. The space for them at the end of the page lets readers scroll everything into view. */}
          <OfflineGuard />
          <ConnectionDialog />
        </ConnectionTexts>
      </body>
    </html>
  );
}

import { dataRoute } from '@/lib/entry/server/visit';
import { translator } from '@/lib/platform/i18n/translator';

/** The manifest with which a phone can install the counter and open it like an app. */
export const GET = dataRoute(({ access, locale, path }) => {
  const start = path('counter');
  const title = translator(locale, 'Counter')('title');
  const manifest = {
    id: start,
    name: `${title} · ${access.merchant.name}`,
    short_name: title,
    start_url: start,
    scope: start,
    display: 'standalone',
    orientation: 'any',
    lang: locale,
    background_color: '#f3f5f2',
    theme_color: '#0b5d3b',
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  };
  return Response.json(manifest, { headers: { 'content-type': 'application/manifest+json' } });
});

import { createHash } from 'node:crypto';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Theme } from '@/lib/entry/server/cookie-names';
import { PAY_POLLER } from './generated/poller';
import { PAY_STYLE } from './style';
import { inTheme } from './theme';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const STYLE = hash(PAY_STYLE);
const POLLER = hash(PAY_POLLER);
const OTHERS = ["img-src 'self' data:", "connect-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"].join('; ');

/** What a page inlines besides the common style and the poller: its own style and script, and the style of the merchant's brand. */
interface PageParts {
  readonly style?: string;
  readonly script?: string;
  readonly brand?: string;
  readonly theme?: Theme;
}

const hashes = (texts: readonly (string | undefined)[]) => texts.map((text) => (text ? ` ${hash(text)}` : '')).join('');

/** Renders a page to an HTML response. The content security policy allows only the styles and scripts of this page, and forms to Bili. */
export async function htmlResponse(
  page: ReactElement,
  status: number,
  requestId: string,
  { style, script, brand, theme = 'system' }: PageParts = {},
): Promise<Response> {
  const common = theme === 'system' ? STYLE : hash(inTheme(PAY_STYLE, theme));
  return new Response(`<!doctype html>${renderToStaticMarkup(page)}`, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src ${common}${hashes([style, brand])}; script-src ${POLLER}${hashes([script])}; ${OTHERS}`,
      // With `no-referrer`, browsers would send our own forms with `Origin: null`, like forms of another site.
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    },
  });
}

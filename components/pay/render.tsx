import { createHash } from 'node:crypto';
import type { ReactElement } from 'react';
import { PAY_POLLER } from './generated/poller';
import { PAY_STYLE } from './style';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const STYLE = hash(PAY_STYLE);
const OTHERS = [
  `script-src ${hash(PAY_POLLER)}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * Renders a page to an HTML response. Its content security policy allows only its own styles, script and form.
 * `brandStyle` is a second style element, for the page of a merchant.
 */
export async function htmlResponse(page: ReactElement, status: number, requestId: string, brandStyle?: string): Promise<Response> {
  // Next.js forbids a static import of it in a route module.
  const { renderToStaticMarkup } = await import('react-dom/server');
  return new Response(`<!doctype html>${renderToStaticMarkup(page)}`, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src ${STYLE}${brandStyle ? ` ${hash(brandStyle)}` : ''}; ${OTHERS}`,
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

import { createHash } from 'node:crypto';
import type { ReactElement } from 'react';
import { PAY_POLLER } from './poller';
import { PAY_STYLE } from './style';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const POLICY = [
  "default-src 'none'",
  `style-src ${hash(PAY_STYLE)}`,
  `script-src ${hash(PAY_POLLER)}`,
  'img-src data:',
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** @returns a page as an HTML answer that allows nothing but its own style, script and form. */
export async function htmlResponse(page: ReactElement, status: number, requestId: string): Promise<Response> {
  // Next.js forbids a static import of it in a route module.
  const { renderToStaticMarkup } = await import('react-dom/server');
  return new Response(`<!doctype html>${renderToStaticMarkup(page)}`, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    },
  });
}

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Settings } from '@/lib/platform/config/settings';
import { DAY_MS, SECOND_MS } from '@/lib/platform/core/clock';

const CSP = 'content-security-policy';
const YEAR_SECONDS = (365 * DAY_MS) / SECOND_MS;
const SIGN_OUT = '/api/auth/signout';

/** The headers of every answer of Next.js. Hot routes set their own headers. */
const FIXED_HEADERS: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * Sets the security headers of a dashboard page. Scripts need a nonce, which Next.js reads from the request's policy header. Inline styles
 * are allowed, because charts need them.
 * @param dev whether Next.js reloads on change, which needs `eval`.
 */
export function secureDashboard(request: IncomingMessage, response: ServerResponse, { dev }: { readonly dev: boolean }): void {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "worker-src 'self'",
    "img-src 'self' data: blob:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
  request.headers[CSP] = policy;
  response.setHeader(CSP, policy);
  for (const [name, value] of Object.entries(FIXED_HEADERS)) response.setHeader(name, value);
  if (request.method !== 'POST' || !request.url?.startsWith(SIGN_OUT)) return;
  // The storage contains the bills that cashiers entered without a connection. If some are unsent, the form asks to keep them.
  response.setHeader('clear-site-data', request.url.endsWith('?keep=1') ? '"cache"' : '"cache", "storage"');
}

/**
 * Returns the Strict-Transport-Security header, or null unless both environments use https. Subdomains are included only on request: they
 * may belong to other systems of the operator, which would be unreachable without https for a year.
 */
export function transportSecurity({
  LIVE_BASE_URL,
  SANDBOX_BASE_URL,
  HSTS,
}: Pick<Settings, 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL' | 'HSTS'>): string | null {
  // Browsers apply the header to all ports of a host name. Both environments may have the same host name, so both need https.
  if ([LIVE_BASE_URL, SANDBOX_BASE_URL].some(({ protocol }) => protocol !== 'https:')) return null;
  return `max-age=${YEAR_SECONDS}${HSTS === 'subdomains' ? '; includeSubDomains' : ''}`;
}

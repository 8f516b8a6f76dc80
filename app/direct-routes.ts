import { forgot } from '@/app/(auth)/forgot/direct';
import { invitation } from '@/app/(auth)/invitation/[token]/direct';
import { noMerchant } from '@/app/(auth)/no-merchant/direct';
import { unknownAddress } from '@/app/(auth)/not-found/direct';
import { reset } from '@/app/(auth)/reset/direct';
import { signInAgain } from '@/app/(auth)/sign-in/again/direct';
import { codeSignIn } from '@/app/(auth)/sign-in/code/direct';
import { signIn } from '@/app/(auth)/sign-in/direct';
import { pinSignIn } from '@/app/(auth)/sign-in/pin/direct';
import { signOut } from '@/app/(auth)/sign-out/direct';
import { signUp } from '@/app/(auth)/sign-up/direct';
import { finishSigningUp } from '@/app/(auth)/sign-up/finish/direct';
import { callbacks } from '@/app/callbacks/[provider]/[token]/direct';
import { home } from '@/app/direct';
import { formRefused } from '@/app/form-refused/direct';
import { shortLink } from '@/app/p/[[...path]]/direct';
import { pay } from '@/app/pay/direct';
import { payPicture } from '@/app/pay/picture/[[...path]]/direct';
import { phone } from '@/app/phone/[[...path]]/direct';
import { verify } from '@/app/verify/direct';
import { answerFromDocs } from '@/lib/entry/docs/answer-from-docs';
import { docsHandler, SITE_FOLDER } from '@/lib/entry/docs/serve-docs';
import { answerRequest, goneHandler, routeFinder } from '@/lib/entry/http/api';
import { answerCounter } from '@/lib/entry/http/counter-api';
import type { RouteHandler } from '@/lib/entry/http/errors';
import { healthHandler, readinessHandler } from '@/lib/entry/http/health';
import type { DirectRoute } from '@/lib/entry/http/listener';
import { logoHandler } from '@/lib/entry/http/logo';
import { SEND_PATH } from '@/lib/entry/openapi/samples';
import { openApiHandler } from '@/lib/entry/openapi/serve-document';
import { webRuntime } from '@/lib/entry/server/web-runtime';
import { COUNTER_ROUTES } from './api/v2/counter-routes';
import { API_ROUTES } from './api/v3/api-routes';

// Everything that the listener answers without Next.js. Next.js does not know these routes: in `app`, it serves the files `page.tsx` and
// `route.ts`, and the listener those named `direct`.

const API = '/api/v3';
const findApiRoute = routeFinder(API_ROUTES);
const findCounterRoute = routeFinder(COUNTER_ROUTES);
const docs = docsHandler(SITE_FOLDER, webRuntime);

const EXACT: ReadonlyMap<string, DirectRoute> = new Map<string, DirectRoute>(
  Object.entries({
    [`${API}/openapi.json`]: openApiHandler([...API_ROUTES, ...COUNTER_ROUTES], webRuntime),
    '/': home,
    '/pay': pay,
    '/pay/': pay,
    '/verify': verify,
    '/form-refused': formRefused,
    '/sign-in': signIn,
    '/sign-in/pin': pinSignIn,
    '/sign-in/code': codeSignIn,
    '/sign-in/again': signInAgain,
    '/sign-out': signOut,
    '/sign-up': signUp,
    '/sign-up/finish': finishSigningUp,
    '/forgot': forgot,
    '/reset': reset,
    '/no-merchant': noMerchant,
    '/llms.txt': docs,
    '/healthz': healthHandler(),
    '/readyz': readinessHandler(webRuntime),
  }).map(([path, handler]) => [path, { handler }]),
);

/** Each handler answers its prefix and every path below it. */
const PREFIXES: readonly { readonly path: string; readonly handler: RouteHandler }[] = [
  { path: '/api/v1', handler: goneHandler('v1', webRuntime) },
  { path: '/api/v2', handler: goneHandler('v2', webRuntime) },
  { path: '/callbacks', handler: callbacks },
  { path: '/pay/logo', handler: logoHandler('/pay/logo', webRuntime) },
  { path: '/pay/picture', handler: payPicture },
  { path: '/docs', handler: docs },
  { path: '/invitation', handler: invitation },
  { path: '/phone', handler: phone },
  { path: '/p', handler: shortLink },
];

/** Paths that Next.js does not answer. It answers those below the named segments, files, and names that begin with an underscore. */
const NOT_OF_NEXT = /^\/(?!(?:account|api[^/]*|design|m|preferences|push)(?:\/|$))[a-z\d][\w-]*(?:\/|$)/i;

/** Returns the route of a path that the listener answers without Next.js, or undefined if Next.js answers it. */
export function findRoute(path: string): DirectRoute | undefined {
  const exact = EXACT.get(path);
  if (exact) return exact;
  if (isBelow(path, API)) {
    const matched = findApiRoute(path);
    return { answer: (request) => answerRequest(webRuntime(), request, matched) };
  }
  const counter = findCounterRoute(path);
  if (counter) return { answer: (request) => answerCounter(webRuntime(), request, counter) };
  if (isBelow(path, SEND_PATH + API)) {
    const matched = findApiRoute(path.slice(SEND_PATH.length));
    return { answer: (request) => answerFromDocs(webRuntime(), request, matched) };
  }
  return PREFIXES.find((prefix) => isBelow(path, prefix.path)) ?? (NOT_OF_NEXT.test(path) ? { handler: unknownAddress } : undefined);
}

function isBelow(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');
}

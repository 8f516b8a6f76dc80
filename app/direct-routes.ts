import * as v1 from '@/app/api/v1/[[...path]]/route';
import * as v2 from '@/app/api/v2/[[...path]]/route';
import * as unknownPath from '@/app/api/v3/[[...path]]/route';
import * as openApi from '@/app/api/v3/openapi.json/route';
import * as callbacks from '@/app/callbacks/[provider]/[token]/route';
import * as docs from '@/app/docs/[[...path]]/route';
import * as formRefused from '@/app/form-refused/route';
import * as healthz from '@/app/healthz/route';
import * as llms from '@/app/llms.txt/route';
import * as shortLink from '@/app/p/[[...path]]/route';
import * as payLogo from '@/app/pay/logo/[[...path]]/route';
import * as payPicture from '@/app/pay/picture/[[...path]]/route';
import * as pay from '@/app/pay/route';
import * as phone from '@/app/phone/[[...path]]/route';
import * as readyz from '@/app/readyz/route';
import * as home from '@/app/route';
import * as verify from '@/app/verify/route';
import type { ApiHandler } from '@/lib/http/answer-api';
import type { PathParams } from '@/lib/http/path-template';
import type { RouteHandler } from '@/lib/http/route-module';
import type { DirectRoute } from '@/lib/server/listener';
import { API_ROUTES } from './api-routes';

// Below, `GET` of a route module stands for all methods: the module exports the same handler for every method (`everyMethod`).

/** Paths without parameters. They are checked before the templates: `bills/create` is not the bill with the id "create". */
const EXACT: ReadonlyMap<string, DirectRoute> = new Map<string, DirectRoute>([
  ...API_ROUTES.filter(({ route }) => !hasParameters(route.path)).map((handler) => [handler.route.path, apiRoute(handler, {})] as const),
  ['/api/v3/openapi.json', { handler: openApi.GET }],
  ['/', { handler: home.GET }],
  ['/pay', { handler: pay.GET }],
  ['/pay/', { handler: pay.GET }],
  ['/verify', { handler: verify.GET }],
  ['/form-refused', { handler: formRefused.GET }],
  ['/llms.txt', { handler: llms.GET }],
  ['/healthz', { handler: healthz.GET }],
  ['/readyz', { handler: readyz.GET }],
]);

const TEMPLATES = API_ROUTES.filter(({ route }) => hasParameters(route.path));

/** Each handler answers its prefix and every path below it. */
const PREFIXES: readonly { readonly path: string; readonly handler: RouteHandler }[] = [
  { path: '/api/v3', handler: unknownPath.GET },
  { path: '/api/v1', handler: v1.GET },
  { path: '/api/v2', handler: v2.GET },
  { path: '/callbacks', handler: callbacks.GET },
  { path: '/pay/logo', handler: payLogo.GET },
  { path: '/pay/picture', handler: payPicture.GET },
  { path: '/docs', handler: docs.GET },
  { path: '/phone', handler: phone.GET },
  { path: '/p', handler: shortLink.GET },
];

/** Returns the handler for a path that the listener answers without Next.js, or undefined if Next.js answers it. */
export function findRoute(path: string): DirectRoute | undefined {
  const exact = EXACT.get(path);
  if (exact) return exact;
  for (const handler of TEMPLATES) {
    const params = handler.paramsOf(path);
    if (params) return apiRoute(handler, params);
  }
  return PREFIXES.find(({ path: prefix }) => path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/'));
}

function apiRoute(handler: ApiHandler, params: PathParams): DirectRoute {
  return { handler, answer: (request) => handler.answer(request, params) };
}

function hasParameters(path: string): boolean {
  return path.includes(':');
}

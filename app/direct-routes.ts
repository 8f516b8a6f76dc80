import * as v1 from '@/app/api/v1/[[...path]]/route';
import * as v2 from '@/app/api/v2/[[...path]]/route';
import * as v3 from '@/app/api/v3/[[...path]]/route';
import * as callbacks from '@/app/callbacks/[provider]/[token]/route';
import * as healthz from '@/app/healthz/route';
import * as payLogo from '@/app/pay/logo/[[...path]]/route';
import * as pay from '@/app/pay/route';
import * as readyz from '@/app/readyz/route';
import * as verify from '@/app/verify/route';

type Handler = (request: Request) => Promise<Response>;
type RouteModule = Readonly<Partial<Record<string, unknown>>> & { readonly GET: Handler };

/** The route modules that the listener serves itself, without Next.js. A prefix takes all below it, an exact path only itself. */
const MOUNTS: readonly { readonly path: string; readonly below: boolean; readonly module: RouteModule }[] = [
  { path: '/api/v3', below: true, module: v3 },
  { path: '/api/v1', below: true, module: v1 },
  { path: '/api/v2', below: true, module: v2 },
  { path: '/callbacks', below: true, module: callbacks },
  { path: '/pay', below: false, module: pay },
  { path: '/pay/logo', below: true, module: payLogo },
  { path: '/verify', below: false, module: verify },
  { path: '/healthz', below: false, module: healthz },
  { path: '/readyz', below: false, module: readyz },
];

/** @returns the handler of a path and method, or undefined where Next.js answers. */
export function findRoute(method: string, path: string): Handler | undefined {
  const mount = MOUNTS.find((candidate) => path === candidate.path || (candidate.below && path.startsWith(`${candidate.path}/`)));
  if (!mount) return undefined;
  const handler = mount.module[method];
  return isHandler(handler) ? handler : mount.module.GET;
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function';
}

import type { Request } from 'autocannon';
import type { Bench, Target } from './api-servers';

export const MOBILE = '0712345678';
export const ROUTE_NAMES = ['create', 'create with mobile', 'create with Idempotency-Key', 'get'] as const;
const BILLS_READ = 200;

export interface Route {
  readonly name: (typeof ROUTE_NAMES)[number];
  readonly requests: readonly Request[];
  readonly distinct: boolean;
}

function headersOf({ key }: Bench): Record<string, string> {
  return { authorization: `ApiKey ${key.id}:${key.secret}`, 'content-type': 'application/json' };
}

export function createRequest(bench: Bench, extra: object, headers: Record<string, string> = {}): Request {
  const body = JSON.stringify({ amount: 5000, reference: 'ORDER-[<id>]', ...extra });
  return { method: 'POST', path: '/api/v3/bills/create', headers: { ...headersOf(bench), ...headers }, body };
}

export async function planRoutes(bench: Bench, targets: readonly Target[]): Promise<Route[]> {
  const create = (extra: object) => createRequest(bench, extra);
  const read = (id: string): Request => ({ method: 'GET', path: `/api/v3/bills/${id}`, headers: headersOf(bench) });

  const ids = await Promise.all(Array.from({ length: BILLS_READ }, () => firstAnswer(targets[1], create({})).then(({ id }) => String(id))));
  const keyed = createRequest(bench, {}, { 'idempotency-key': 'KEY-[<id>]' });
  const routes: Route[] = [
    { name: 'create', requests: [create({})], distinct: true },
    { name: 'create with mobile', requests: [create({ mobile: MOBILE })], distinct: true },
    { name: 'create with Idempotency-Key', requests: [keyed], distinct: true },
    { name: 'get', requests: ids.map(read), distinct: false },
  ];
  for (const { name, requests } of routes) await checkShapes(name, requests[0], targets);
  return routes;
}

/**
 * Checks that all servers answer with the JSON members of the baseline server (`bare-server.ts`). Bili's answers may have further members.
 */
async function checkShapes(route: string, request: Request | undefined, targets: readonly Target[]): Promise<void> {
  const shapes = await Promise.all(targets.map(async (target) => Object.keys(await firstAnswer(target, request))));
  const shared = Math.min(...shapes.map((shape) => shape.length));
  const starts = new Set(shapes.map((shape) => shape.slice(0, shared).join()));
  if (starts.size !== 1) throw new Error(`${route}: the servers answer with other members: ${[...starts].join(' | ')}`);
}

export async function firstAnswer(
  target: Target | undefined,
  { method = 'GET', path = '/', headers, body }: Request = {},
): Promise<Record<string, unknown>> {
  const sent = headers === undefined ? {} : Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const answer = await fetch(`${target?.url}${path}`, { method, headers: sent, body: body === undefined ? null : String(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${target?.name}: ${method} ${path} answered ${answer.status} ${text}`);
  return JSON.parse(text);
}

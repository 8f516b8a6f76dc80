import { checkWritable } from '@/lib/platform/db/check-writable';
import { isDatabaseUnavailable } from '@/lib/platform/db/errors';
import { compareSchema, schemaProblem } from '@/lib/platform/db/schema-version';
import { currentHold } from '@/lib/platform/hold/hold';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { ApiRuntime } from './api';
import { failureResponse, jsonResponse, type RouteHandler } from './errors';
import { requestId } from './request-facts';

/** The time limit of a readiness check. It is shorter than the timeout of load balancers, which is one or two seconds. */
const READINESS_LIMIT_MS = 1_000;

/** Answers whether the process runs. Does not use the database. */
export function healthHandler(): RouteHandler {
  return forReading(async (id) => jsonResponse('{"status":"ok"}', 200, id));
}

/**
 * Answers whether the process can serve: its database commits writes and has the schema that this version of Bili needs, and its clock is
 * right.
 */
export function readinessHandler(runtimeOf: () => ApiRuntime & { readonly shutdown: AbortController }): RouteHandler {
  return forReading(async (id) => {
    const { shutdown } = runtimeOf();
    if (shutdown.signal.aborted) return jsonResponse('{"status":"stopping"}', 503, id);
    try {
      const reason = await findProcessProblem(runtimeOf());
      if (reason !== null) return jsonResponse(JSON.stringify({ status: 'not ready', reason }), 503, id, { 'retry-after': '5' });
      return jsonResponse(readyText(), 200, id);
    } catch (error) {
      runtimeOf().log.warn(
        { err: error, requestId: id },
        isDatabaseUnavailable(error) ? 'not ready: the database is unavailable' : 'not ready',
      );
      return jsonResponse('{"status":"not ready"}', 503, id, { 'retry-after': '5' });
    }
  });
}

/** Returns what a process answers that is ready, as JSON. It says since when the copy of the database is on hold. */
export function readyText(): string {
  const hold = currentHold();
  return JSON.stringify({ status: 'ready', ...(hold && { onHoldSince: hold.since }) });
}

/** Returns why the process cannot work. Returns null if it can. Throws if the database does not answer within a second. */
export async function findProcessProblem({ db, health }: Pick<Runtime, 'db' | 'health'>): Promise<string | null> {
  const [known] = health.values();
  if (known !== undefined) return known;
  const problem = await db.runWithin(READINESS_LIMIT_MS, async () => {
    await checkWritable(db);
    return schemaProblem(await compareSchema(db));
  });
  return problem ?? null;
}

function forReading(answer: (requestId: string) => Promise<Response>): RouteHandler {
  return async (request) => {
    const id = requestId(request.headers);
    if (request.method === 'GET' || request.method === 'HEAD') return answer(id);
    return failureResponse({ code: 'method_not_allowed', detail: request.method, headers: { allow: 'GET, HEAD' } }, id);
  };
}

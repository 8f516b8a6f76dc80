import type { Failure, FailureCode } from '@/lib/core/failure';
import { fail, type Result } from '@/lib/core/result';
import { isDatabaseUnavailable } from '@/lib/db/errors';
import { isOverloaded } from '@/lib/queues/overloaded';
import type { Runtime } from '@/lib/runtime/runtime';

export type RouteHandler = (request: Request) => Promise<Response>;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

type RouteModule<Handler> = Readonly<Record<(typeof METHODS)[number], Handler>>;

/** Returns the exports of a route module: one handler for all methods, so that Next.js adds no answers of its own. */
export function everyMethod<Handler extends RouteHandler>(handler: Handler): RouteModule<Handler> {
  return { GET: handler, HEAD: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler, OPTIONS: handler };
}

/** Runs `work` and turns exceptions into a failure. Logs them with the request id. */
export async function catchErrors<Value>(
  runtime: Pick<Runtime, 'log'>,
  id: string,
  work: () => Promise<Result<Value, Failure>>,
): Promise<Result<Value, Failure>> {
  try {
    return await work();
  } catch (error) {
    // The log line of the request already has the status. One more line for each refusal would make an overload worse.
    if (isOverloaded(error)) return fail({ code: 'unavailable' });
    const code: FailureCode = isDatabaseUnavailable(error) ? 'unavailable' : 'internal';
    runtime.log.error({ err: error, requestId: id }, code === 'unavailable' ? 'the database is unavailable' : 'request failed');
    return fail({ code });
  }
}

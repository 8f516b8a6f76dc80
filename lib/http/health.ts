import { isDatabaseUnavailable } from '@/lib/db/database';
import type { ApiRuntime } from './api';
import { jsonResponse } from './errors';
import { requestId } from './request-facts';

/** Whether the process runs. Asks nobody. */
export function healthHandler(): (request: Request) => Promise<Response> {
  return async (request) => jsonResponse('{"status":"ok"}', 200, requestId(request.headers));
}

/** Whether the process can serve: it reaches its database. */
export function readinessHandler(runtimeOf: () => ApiRuntime): (request: Request) => Promise<Response> {
  return async (request) => {
    const id = requestId(request.headers);
    try {
      await runtimeOf().db.query({ text: 'SELECT 1' });
      return jsonResponse('{"status":"ready"}', 200, id);
    } catch (error) {
      runtimeOf().log.warn(
        { err: error, requestId: id },
        isDatabaseUnavailable(error) ? 'not ready: the database is unavailable' : 'not ready',
      );
      return jsonResponse('{"status":"not ready"}', 503, id, { 'retry-after': '5' });
    }
  };
}

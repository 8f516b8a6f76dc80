import { type KeyAccess, keyAccess } from '@/lib/accounts/access/grant-access';
import { billPath } from '@/lib/bills/schema';
import type { Failure } from '@/lib/core/failure';
import { ok, type Result } from '@/lib/core/result';
import { apiHandler } from '@/lib/http/answer-api';
import { type ApiRoute, type ApiRuntime, apiRoute, NO_PARAMETERS } from '@/lib/http/api';
import { NO_BODY } from '@/lib/http/api-body';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';

interface HistoryRoute extends Pick<ApiRoute, 'path' | 'summary' | 'docs' | 'response'> {
  /** Returns the part of a bill's history that the route answers with, for example its attempts, as JSON text. */
  readonly read: (runtime: ApiRuntime, access: KeyAccess, billId: string) => Promise<Result<string, Failure<'bill_not_found'>>>;
}

/** Returns the exports of a route that reads one part of the history of a bill. */
export function historyRoute({ read, ...facts }: HistoryRoute) {
  const route = apiRoute({
    ...facts,
    method: 'GET',
    keyScope: 'read',
    whileSuspended: true,
    params: billPath,
    query: NO_PARAMETERS,
    body: NO_BODY,
    inputFailures: [],
    failures: ['bill_not_found'],
    async handler({ runtime, scope, key, params }) {
      const json = await read(runtime, keyAccess(key, scope), params.id);
      return json.ok ? ok({ json: json.value, about: { billId: params.id } }) : json;
    },
  });
  return everyMethod(apiHandler(route, webRuntime));
}

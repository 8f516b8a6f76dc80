import type { z } from 'zod';
import { type KeyAccess, keyAccess } from '@/lib/accounts/access/grant-access';
import { billSchema } from '@/lib/bills/answer-schema';
import { reasonBody } from '@/lib/bills/api/change-schema';
import { type ChangeOptions, CLOSE_FAILURES, type CloseFailure } from '@/lib/bills/api/close-merchant-bill';
import { billJson } from '@/lib/bills/bill-json';
import { getBill } from '@/lib/bills/get-bill';
import { billPath } from '@/lib/bills/schema';
import { baseUrl } from '@/lib/config/settings';
import { ok, type Result } from '@/lib/core/result';
import { apiHandler } from '@/lib/http/answer-api';
import { type ApiRoute, type ApiRuntime, apiRoute, NO_PARAMETERS } from '@/lib/http/api';
import { jsonBody } from '@/lib/http/api-body';
import { ignoredHeader } from '@/lib/http/ignored-members';
import type { RouteDocs } from '@/lib/http/route-docs';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';

interface ChangeRoute extends Pick<ApiRoute, 'path' | 'summary'> {
  readonly docs: RouteDocs<z.output<typeof billSchema>>;
  readonly change: (runtime: ApiRuntime, access: KeyAccess, options: ChangeOptions) => Promise<Result<null, CloseFailure>>;
}

/** Returns the exports of a route that closes or reopens a bill. It answers with the changed bill. */
export function changeRoute({ change, ...facts }: ChangeRoute) {
  const route = apiRoute({
    ...facts,
    method: 'POST',
    keyScope: 'create',
    whileSuspended: false,
    params: billPath,
    query: NO_PARAMETERS,
    body: jsonBody(() => reasonBody, { mayBeEmpty: true }),
    response: billSchema,
    inputFailures: ['reason_invalid'],
    failures: CLOSE_FAILURES,
    async handler({ runtime, scope, key, params, body, unknown }) {
      const changed = await change(runtime, keyAccess(key, scope), { billId: params.id, reason: body.reason });
      if (!changed.ok) return changed;
      const bill = await getBill(scope, params.id, (wanted) => runtime.readQueue.read(key.id, wanted));
      if (!bill.ok) return bill;
      const json = billJson(bill.value, baseUrl(runtime.settings, scope.environment));
      return ok({ json, about: { billId: bill.value.id }, headers: ignoredHeader(unknown) });
    },
  });
  return everyMethod(apiHandler(route, webRuntime));
}

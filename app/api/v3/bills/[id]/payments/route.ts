import { z } from 'zod';
import { keyAccess } from '@/lib/accounts/access/grant-access';
import { readBillPayments } from '@/lib/bills/api/bill-history';
import { paymentsSchema } from '@/lib/bills/api/bill-history-schema';
import { ok } from '@/lib/core/result';
import { apiHandler } from '@/lib/http/answer-api';
import { apiRoute, NO_PARAMETERS } from '@/lib/http/api';
import { NO_BODY } from '@/lib/http/api-body';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';

const readBillPaymentsRoute = apiRoute({
  method: 'GET',
  path: '/api/v3/bills/:id/payments',
  summary: 'List the payments of a bill',
  whileSuspended: true,
  params: z.object({ id: z.string().meta({ format: 'uuid' }) }),
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: paymentsSchema,
  inputFailures: [],
  failures: ['bill_not_found'],
  async handler({ runtime, scope, key, params }) {
    const json = await readBillPayments(runtime, keyAccess(key.id, scope), params.id);
    return json.ok ? ok({ json: json.value, about: { billId: params.id } }) : json;
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(apiHandler(readBillPaymentsRoute, webRuntime));

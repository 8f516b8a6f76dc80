import { billJson } from '@/lib/bills/bill-json';
import { getBill } from '@/lib/bills/get-bill';
import { billPath, billSchema } from '@/lib/bills/schema';
import { baseUrl } from '@/lib/config/settings';
import { ok } from '@/lib/core/result';
import { apiHandler } from '@/lib/http/answer-api';
import { apiRoute, NO_PARAMETERS } from '@/lib/http/api';
import { NO_BODY } from '@/lib/http/api-body';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';

const getBillRoute = apiRoute({
  method: 'GET',
  path: '/api/v3/bills/:id',
  summary: 'Get a bill',
  whileSuspended: true,
  shares: () => true,
  params: billPath,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: billSchema,
  inputFailures: [],
  failures: ['bill_not_found'],
  async handler({ runtime, scope, key, params }) {
    const bill = await getBill(scope, params.id, (wanted) => runtime.readQueue.read(key.id, wanted));
    if (!bill.ok) return bill;
    return ok({ json: billJson(bill.value, baseUrl(runtime.settings, scope.environment)), about: { billId: bill.value.id } });
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(apiHandler(getBillRoute, webRuntime));

import { billSchema } from '@/lib/bills/answer-schema';
import { billJson } from '@/lib/bills/bill-json';
import { PAID_BILL_EXAMPLE } from '@/lib/bills/examples';
import { getBill } from '@/lib/bills/get-bill';
import { billPath } from '@/lib/bills/schema';
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
  docs: {
    operationId: 'getBill',
    tag: 'Bills',
    description: `Returns a bill with its present status. Call it when a webhook arrives, before you hand over the goods. While a customer waits in
front of your page, you may call it every 5 seconds.`,
    example: { answer: PAID_BILL_EXAMPLE },
  },
  keyScope: 'read',
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

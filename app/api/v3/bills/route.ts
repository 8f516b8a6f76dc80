import { keyAccess } from '@/lib/accounts/access/grant-access';
import { listMerchantBills } from '@/lib/bills/api/list-merchant-bills';
import { BILLS_QUERY_FAILURES, billsQuerySchema, billsSchema } from '@/lib/bills/api/list-schema';
import { billJson } from '@/lib/bills/bill-json';
import { OPEN_BILL_EXAMPLE } from '@/lib/bills/examples';
import { baseUrl } from '@/lib/config/settings';
import { ok } from '@/lib/core/result';
import { apiHandler } from '@/lib/http/answer-api';
import { apiRoute, NO_PARAMETERS } from '@/lib/http/api';
import { NO_BODY } from '@/lib/http/api-body';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';

const listBillsRoute = apiRoute({
  method: 'GET',
  path: '/api/v3/bills',
  summary: 'List bills',
  docs: {
    operationId: 'listBills',
    tag: 'Bills',
    description: `Returns bills, newest first. Use it to find a bill whose answer you lost, by its reference. To follow payments, use webhooks or the
event feed: a bill that is paid does not move in this list.

While \`more\` is true, send \`cursor\` as \`after\` with the next request, and keep the other parameters the same. An answer may have fewer bills
than \`limit\`, even none, while \`more\` is true: one request reads at most 2,000 bills to find those of a filter. With \`from\` and \`to\` it reads only
the bills of that time.`,
    example: {
      query: { reference: 'ORDER-1', limit: 20 },
      answer: { bills: [OPEN_BILL_EXAMPLE], cursor: null, more: false },
    },
  },
  keyScope: 'read',
  whileSuspended: true,
  params: NO_PARAMETERS,
  query: billsQuerySchema,
  body: NO_BODY,
  response: billsSchema,
  inputFailures: BILLS_QUERY_FAILURES,
  failures: [],
  async handler({ runtime, scope, key, query }) {
    const page = await listMerchantBills(runtime, keyAccess(key, scope), query);
    if (!page.ok) throw new Error('an API key may read the bills of its merchant');
    const { bills, cursor } = page.value;
    const base = baseUrl(runtime.settings, scope.environment);
    const list = bills.map((bill) => billJson(bill, base)).join(',');
    return ok({ json: `{"bills":[${list}],"cursor":${JSON.stringify(cursor)},"more":${cursor !== null}}` });
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(apiHandler(listBillsRoute, webRuntime));

import { keyAccess } from '@/lib/accounts/access/grant-access';
import { BULK_EXAMPLE, BULK_ROW_MEMBERS, bulkBody, bulkResultsSchema } from '@/lib/bills/api/bulk-schema';
import { scenarioOptions } from '@/lib/bills/api/choose-scenario';
import { createBills, type RowResult } from '@/lib/bills/api/create-bills';
import { createdBillJson } from '@/lib/bills/bill-json';
import { baseUrl } from '@/lib/config/settings';
import { fail, ok } from '@/lib/core/result';
import { apiHandler } from '@/lib/http/answer-api';
import { apiRoute, NO_PARAMETERS } from '@/lib/http/api';
import { jsonBody } from '@/lib/http/api-body';
import { failureMessage } from '@/lib/http/errors';
import { ignoredHeader } from '@/lib/http/ignored-members';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';

/** Enough for 500 bills of 2 KiB each. */
const BODY_MAX_BYTES = 1024 * 1024;

const createBillsRoute = apiRoute({
  method: 'POST',
  path: '/api/v3/bills/bulk',
  summary: 'Create up to 500 bills',
  docs: {
    operationId: 'createBills',
    tag: 'Bills',
    description: `Creates up to 500 bills, each as if it had been sent alone. The answer has one result for each bill, in their order: one mistake does
not refuse the others.

Send an \`Idempotency-Key\`, or an \`idempotencyKey\` with each bill: then a repetition with the same bills in the same order creates none twice.`,
    example: {
      body: {
        bills: [
          { amount: 5000, reference: 'ORDER-1', mobile: '0712345001' },
          { amount: 7500, reference: 'ORDER-2' },
        ],
      },
      answer: BULK_EXAMPLE,
    },
  },
  keyScope: 'create',
  whileSuspended: false,
  // Bulk requests are limited by a queue of their own. With `shares`, they skip the queue that limits the other requests of the sandbox. In
  // that queue, bulk requests would delay the requests of other keys.
  shares: () => true,
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: jsonBody(({ MAX_BILL_AMOUNT }) => bulkBody(MAX_BILL_AMOUNT), {
    maxBytes: BODY_MAX_BYTES,
    rows: { member: 'bills', names: BULK_ROW_MEMBERS },
  }),
  response: bulkResultsSchema,
  inputFailures: ['bills_invalid'],
  failures: ['unavailable', 'too_many_requests'],
  async handler({ runtime, scope, key, scenario, body, unknown, idempotencyKey }) {
    const access = keyAccess(key, scope);
    const { allowed, retrySeconds } = runtime.limits.takeBills(key.id, scope.environment, body.bills.length);
    if (!allowed) return fail({ code: 'too_many_requests', headers: { 'retry-after': String(retrySeconds) } });
    const results = await runtime.limits.bulkQueues[scope.environment].run(key.id, () =>
      createBills(runtime, access, {
        rows: body.bills,
        key,
        idempotencyKey,
        ...scenarioOptions(runtime, access, scenario),
        insert: (row) => runtime.insertQueue.insert(key.id, row),
      }),
    );
    if (!results) return fail({ code: 'unavailable' });
    const base = baseUrl(runtime.settings, scope.environment);
    const json = `{"results":[${results.map((result) => resultJson(result, base)).join(',')}]}`;
    return ok({ json, headers: ignoredHeader(unknown) });
  },
});

function resultJson({ created, ignored }: RowResult, base: URL): string {
  const names = `"ignored":${JSON.stringify(ignored)}`;
  if (!created.ok) {
    const { code } = created.error;
    return `{"status":"failed","code":"${code}","error":${JSON.stringify(failureMessage(created.error))},${names}}`;
  }
  const { bill, replayed, storedAnswer } = created.value;
  return `{"status":"${replayed ? 'replayed' : 'created'}","bill":${storedAnswer ?? createdBillJson(bill, base)},${names}}`;
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(apiHandler(createBillsRoute, webRuntime));

import { z } from 'zod';
import { keyAccess } from '@/lib/accounts/access/grant-access';
import { reasonBody } from '@/lib/bills/api/change-schema';
import { CLOSE_FAILURES, reopenMerchantBill } from '@/lib/bills/api/close-merchant-bill';
import { billJson } from '@/lib/bills/bill-json';
import { getBill } from '@/lib/bills/get-bill';
import { billSchema } from '@/lib/bills/schema';
import { baseUrl } from '@/lib/config/settings';
import { ok } from '@/lib/core/result';
import { apiHandler } from '@/lib/http/answer-api';
import { apiRoute, NO_PARAMETERS } from '@/lib/http/api';
import { jsonBody } from '@/lib/http/api-body';
import { ignoredHeader } from '@/lib/http/ignored-members';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';

const reopenBillRoute = apiRoute({
  method: 'POST',
  path: '/api/v3/bills/:id/reopen',
  summary: 'Reopen a bill',
  whileSuspended: false,
  params: z.object({ id: z.string().meta({ format: 'uuid' }) }),
  query: NO_PARAMETERS,
  body: jsonBody(() => reasonBody, { mayBeEmpty: true }),
  response: billSchema,
  inputFailures: ['reason_invalid'],
  failures: CLOSE_FAILURES,
  async handler({ runtime, scope, key, params, body, unknown }) {
    const changed = await reopenMerchantBill(runtime, keyAccess(key.id, scope), { billId: params.id, reason: body.reason });
    if (!changed.ok) return changed;
    const bill = await getBill(scope, params.id, (wanted) => runtime.readQueue.read(key.id, wanted));
    if (!bill.ok) return bill;
    const json = billJson(bill.value, baseUrl(runtime.settings, scope.environment));
    return ok({ json, about: { billId: bill.value.id }, headers: ignoredHeader(unknown) });
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(apiHandler(reopenBillRoute, webRuntime));

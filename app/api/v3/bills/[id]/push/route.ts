import { keyAccess } from '@/lib/accounts/access/grant-access';
import { attemptJson } from '@/lib/bills/api/bill-history';
import { ATTEMPT_EXAMPLE, attemptSchema } from '@/lib/bills/api/bill-history-schema';
import { pushBody } from '@/lib/bills/api/change-schema';
import { PUSH_FAILURES, pushBill } from '@/lib/bills/api/push-bill';
import { billPath } from '@/lib/bills/schema';
import { ok } from '@/lib/core/result';
import { apiHandler } from '@/lib/http/answer-api';
import { apiRoute, NO_PARAMETERS } from '@/lib/http/api';
import { jsonBody } from '@/lib/http/api-body';
import { ignoredHeader } from '@/lib/http/ignored-members';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';

const pushBillRoute = apiRoute({
  method: 'POST',
  path: '/api/v3/bills/:id/push',
  summary: 'Send a payment request',
  docs: {
    operationId: 'pushBill',
    tag: 'Bills',
    description: `Asks a phone to pay what is left of the bill. The answer does not wait for the customer: read the outcome from \`lastAttempt\` of the
bill, or wait for the webhook. The body may be empty.

Send an \`Idempotency-Key\`: a repetition, at any later time, sends no second request, and returns the first one in its present state.`,
    replays: true,
    example: { body: { mobile: '0754345001' }, answer: ATTEMPT_EXAMPLE },
  },
  keyScope: 'create',
  whileSuspended: false,
  params: billPath,
  query: NO_PARAMETERS,
  body: jsonBody(() => pushBody, { mayBeEmpty: true }),
  response: attemptSchema,
  inputFailures: ['mobile_not_string', 'mobile_invalid'],
  failures: PUSH_FAILURES,
  async handler({ runtime, scope, key, scenario, params, body, unknown, idempotencyKey }) {
    const pushed = await pushBill(runtime, keyAccess(key, scope), { billId: params.id, mobile: body.mobile, scenario, idempotencyKey });
    if (!pushed.ok) return pushed;
    const { attempt, replayed } = pushed.value;
    const headers = { ...ignoredHeader(unknown), ...(replayed && { 'idempotency-replayed': 'true' }) };
    return ok({ json: attemptJson(attempt), about: { billId: attempt.billId, ourReference: attempt.ourReference }, headers });
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(apiHandler(pushBillRoute, webRuntime));

import { keyAccess } from '@/lib/accounts/access/grant-access';
import { VALIDATE_FAILURES, validateBill, validatedJson } from '@/lib/bills/api/validate-bill';
import { VALIDATED_EXAMPLE, validatedSchema } from '@/lib/bills/api/validate-schema';
import { readOptional } from '@/lib/bills/optional-members';
import { NEW_BILL_FAILURES, newBillSchema } from '@/lib/bills/schema';
import { ok } from '@/lib/core/result';
import { apiHandler } from '@/lib/http/answer-api';
import { apiRoute, NO_PARAMETERS } from '@/lib/http/api';
import { jsonBody } from '@/lib/http/api-body';
import { ignoredHeader } from '@/lib/http/ignored-members';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';

const validateBillRoute = apiRoute({
  method: 'POST',
  path: '/api/v3/bills/validate',
  summary: 'Check a bill without creating it',
  docs: {
    operationId: 'validateBill',
    tag: 'Bills',
    description: `Checks the body of a new bill, creates nothing, and says which payment request would be sent. If creating the bill would fail, the
answer is the same error.`,
    example: { body: { amount: 5000.5, reference: 'ORDER-1', mobile: '0712345001' }, answer: VALIDATED_EXAMPLE },
  },
  keyScope: 'create',
  whileSuspended: false,
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: jsonBody(({ MAX_BILL_AMOUNT }) => newBillSchema(MAX_BILL_AMOUNT), { keyed: false }),
  response: validatedSchema,
  inputFailures: NEW_BILL_FAILURES,
  failures: VALIDATE_FAILURES,
  async handler({ runtime, scope, key, body, unknown }) {
    const now = runtime.clock();
    const read = readOptional(body, { ...scope, returnOrigins: key.returnOrigins, now });
    const ignored = [...read.ignored, ...unknown];
    const validated = await validateBill(runtime, keyAccess(key, scope), { bill: body, key });
    if (!validated.ok) return validated;
    return ok({ json: validatedJson(body, validated.value, ignored, now), headers: ignoredHeader(ignored) });
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(apiHandler(validateBillRoute, webRuntime));

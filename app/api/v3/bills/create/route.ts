import { keyAccess } from '@/lib/accounts/access/grant-access';
import { createdBillSchema } from '@/lib/bills/answer-schema';
import { scenarioOptions } from '@/lib/bills/api/choose-scenario';
import { createdBillJson } from '@/lib/bills/bill-json';
import { createBill } from '@/lib/bills/create/create-bill';
import { CREATE_FAILURES } from '@/lib/bills/create/idempotency';
import type { InsertBill } from '@/lib/bills/create/insert-queue';
import { CREATED_BILL_EXAMPLE } from '@/lib/bills/examples';
import { readOptional } from '@/lib/bills/optional-members';
import { NEW_BILL_FAILURES, newBillSchema } from '@/lib/bills/schema';
import { baseUrl } from '@/lib/config/settings';
import { keyActor } from '@/lib/core/actor';
import { ok } from '@/lib/core/result';
import { apiHandler } from '@/lib/http/answer-api';
import { apiRoute, NO_PARAMETERS } from '@/lib/http/api';
import { jsonBody } from '@/lib/http/api-body';
import { ignoredHeader } from '@/lib/http/ignored-members';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';

const createBillRoute = apiRoute({
  method: 'POST',
  path: '/api/v3/bills/create',
  summary: 'Create a bill',
  docs: {
    operationId: 'createBill',
    tag: 'Bills',
    description: `Creates a bill. With \`mobile\`, Bili sends a payment request (a USSD prompt) to the phone, and the answer does not wait for it.
Without \`mobile\`, send the customer to \`webPayUrl\`.

Send an \`Idempotency-Key\`: a repetition with the same amount, reference and number gets the first answer again, byte for byte, for 24 hours.
Bili ignores members that it does not know and optional members with an invalid value, and names them in \`Bili-Ignored\`.`,
    replays: true,
    example: { body: { amount: 5000, reference: 'ORDER-1', mobile: '0712345001' }, answer: CREATED_BILL_EXAMPLE },
  },
  keyScope: 'create',
  whileSuspended: false,
  shares: ({ dayMax }) => dayMax === null,
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: jsonBody(({ MAX_BILL_AMOUNT }) => newBillSchema(MAX_BILL_AMOUNT)),
  response: createdBillSchema,
  inputFailures: NEW_BILL_FAILURES,
  failures: CREATE_FAILURES,
  async handler({ runtime, scope, key, scenario, body, unknown, idempotencyKey, leaveLine }) {
    const { info, extras, ignored } = readOptional(body, { ...scope, returnOrigins: key.returnOrigins, now: runtime.clock() });
    const options = {
      scope,
      bill: { amount: body.amount, reference: body.reference, mobile: body.mobile, info, extras },
      createdBy: keyActor(key.id).name,
      uniqueReferences: key.uniqueReferences,
      idempotencyKey,
      key,
      ...scenarioOptions(runtime, keyAccess(key, scope), scenario),
    };
    const insert: InsertBill = (row) => runtime.insertQueue.insert(key.id, row);
    const created = await createBill(runtime, { ...options, insert, onWait: leaveLine });
    if (!created.ok) return created;
    const { bill, replayed, storedAnswer, ourReference } = created.value;
    const json = storedAnswer ?? createdBillJson(bill, baseUrl(runtime.settings, scope.environment));
    const headers = {
      ...ignoredHeader([...ignored, ...unknown]),
      ...(replayed && { 'idempotency-replayed': 'true' }),
    };
    const about = { billId: bill.id, ourReference };
    return ok({ json, about, headers });
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(apiHandler(createBillRoute, webRuntime));

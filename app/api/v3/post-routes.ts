import type { z } from 'zod';
import { ATTEMPT_EXAMPLE, attemptJson, attemptSchema } from '@/lib/entry/api/bill-history';
import { ASKED_INSTRUMENTS_EXAMPLE, askApiInstruments, INSTRUMENT_FAILURES, instrumentsSchema } from '@/lib/entry/api/bill-instruments';
import { scenarioOptions } from '@/lib/entry/api/choose-scenario';
import {
  type ChangeOptions,
  CLOSE_FAILURES,
  type CloseFailure,
  closeMerchantBill,
  reasonBody,
  reopenMerchantBill,
} from '@/lib/entry/api/close-merchant-bill';
import { BULK_EXAMPLE, BULK_ROW_MEMBERS, bulkBody, bulkResultsSchema, createBills, type RowResult } from '@/lib/entry/api/create-bills';
import { PUSH_FAILURES, pushBill, pushBody } from '@/lib/entry/api/push-bill';
import {
  RECORD_FAILURES,
  RECORD_INPUT_FAILURES,
  RECORDED_EXAMPLE,
  recordBillPayment,
  recordBody,
  recordedSchema,
} from '@/lib/entry/api/record-bill-payment';
import {
  REFUND_EXAMPLE,
  REFUND_FAILURES,
  REFUND_INPUT_FAILURES,
  refundBill,
  refundBody,
  refundJson,
  refundSchema,
} from '@/lib/entry/api/refund-bill';
import { VALIDATE_FAILURES, VALIDATED_EXAMPLE, validateBill, validatedJson, validatedSchema } from '@/lib/entry/api/validate-bill';
import { type ApiRoute, type ApiRuntime, apiRoute, NO_PARAMETERS, type RouteDocs } from '@/lib/entry/http/api';
import { failureMessage } from '@/lib/entry/http/errors';
import { ignoredHeader, jsonBody, NO_BODY } from '@/lib/entry/http/sent-request';
import { readInfo } from '@/lib/gateway/bills/bill-info';
import {
  billJson,
  billSchema,
  CLOSED_BILL_EXAMPLE,
  CREATED_BILL_EXAMPLE,
  createdBillJson,
  createdBillSchema,
  OPEN_BILL_EXAMPLE,
} from '@/lib/gateway/bills/bill-json';
import { CREATE_FAILURES, createBill } from '@/lib/gateway/bills/create/create-bill';
import type { InsertBill } from '@/lib/gateway/bills/create/insert-bills';
import { getBill } from '@/lib/gateway/bills/get-bill';
import { billPath, NEW_BILL_FAILURES, newBillSchema } from '@/lib/gateway/bills/schema';
import { type KeyAccess, keyAccess } from '@/lib/identity/accounts/access/grant-access';
import { baseUrl } from '@/lib/platform/config/settings';
import { keyActor } from '@/lib/platform/core/actor';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { controlTime } from '@/lib/providers/scenarios/control-time';
import { TIME_EXAMPLE, timeBody, timeSchema } from '@/lib/providers/scenarios/time-schema';

export const createBillRoute = apiRoute({
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
  async handler({ runtime, scope, key, scenario, body, unknown, idempotencyKey, leaveQueue }) {
    const { info, ignored } = readInfo(body, { ...scope, returnOrigins: key.returnOrigins, now: runtime.clock() });
    const options = {
      scope,
      bill: { amount: body.amount, reference: body.reference, mobile: body.mobile, info },
      createdBy: keyActor(key.id).name,
      uniqueReferences: key.uniqueReferences,
      idempotencyKey,
      key,
      ...scenarioOptions(runtime, keyAccess(key, scope), scenario),
    };
    const insert: InsertBill = (row) => runtime.insertQueue.insert(key.id, row);
    const created = await createBill(runtime, { ...options, insert, onWait: leaveQueue });
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

/** Enough for 500 bills of 2 KiB each. */
const BODY_MAX_BYTES = 1024 * 1024;

export const createBillsRoute = apiRoute({
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

export const validateBillRoute = apiRoute({
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
    const info = readInfo(body, { ...scope, returnOrigins: key.returnOrigins, now });
    const ignored = [...info.ignored, ...unknown];
    const validated = await validateBill(runtime, keyAccess(key, scope), { bill: body, key });
    if (!validated.ok) return validated;
    return ok({ json: validatedJson(body, validated.value, ignored, now), headers: ignoredHeader(ignored) });
  },
});

export const pushBillRoute = apiRoute({
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

export const askInstrumentsRoute = apiRoute({
  method: 'POST',
  path: '/api/v3/bills/:id/instruments',
  summary: 'Ask for payment instruments',
  docs: {
    operationId: 'askInstruments',
    tag: 'Instruments',
    description: `Asks the provider for the ways to pay the bill that need no payment request: a number for the menu of the wallet, a QR code, a link to the
provider's page. The answer does not wait for the provider. It has the instruments of the bill; read them again a second later. A request without a body
is enough.

Repeating the request changes nothing while the bill has instruments for its remaining amount. An instrument reserves nothing: a customer who pays it
while a payment request is open pays twice.`,
    example: { answer: ASKED_INSTRUMENTS_EXAMPLE },
  },
  keyScope: 'create',
  whileSuspended: false,
  params: billPath,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: instrumentsSchema,
  inputFailures: [],
  failures: INSTRUMENT_FAILURES,
  async handler({ runtime, scope, key, params }) {
    const asked = await askApiInstruments(runtime, keyAccess(key, scope), params.id);
    return asked.ok ? ok({ json: asked.value, about: { billId: params.id } }) : asked;
  },
});

export const recordPaymentRoute = apiRoute({
  method: 'POST',
  path: '/api/v3/bills/:id/payments',
  summary: 'Record a payment',
  docs: {
    operationId: 'recordPayment',
    tag: 'Bills',
    description: `Records money that a person received for the bill, for example cash. The status of the bill follows, with a webhook, as for every payment.
Only a person corrects such a payment, in the dashboard.

While a payment request is open, it is refused to record more than what the request leaves, because the customer would pay twice. Send an
\`Idempotency-Key\`: it is required. A repetition, at any later time, records nothing and returns the same payment.`,
    replays: true,
    example: { body: { amount: 1500, kind: 'cash', slip: 'SLIP-0042' }, answer: RECORDED_EXAMPLE },
  },
  keyScope: 'record',
  whileSuspended: false,
  params: billPath,
  query: NO_PARAMETERS,
  body: jsonBody(({ MAX_BILL_AMOUNT }) => recordBody(MAX_BILL_AMOUNT), { keyed: 'required' }),
  response: recordedSchema,
  inputFailures: RECORD_INPUT_FAILURES,
  failures: RECORD_FAILURES,
  async handler({ runtime, scope, key, params, body, unknown, idempotencyKey }) {
    const recorded = await recordBillPayment(runtime, keyAccess(key, scope), { billId: params.id, body, idempotencyKey });
    if (!recorded.ok) return recorded;
    const { json, replayed } = recorded.value;
    const headers = { ...ignoredHeader(unknown), ...(replayed && { 'idempotency-replayed': 'true' }) };
    return ok({ json, about: { billId: params.id }, headers });
  },
});

export const refundBillRoute = apiRoute({
  method: 'POST',
  path: '/api/v3/bills/:id/refunds',
  summary: 'Refund a bill',
  docs: {
    operationId: 'refundBill',
    tag: 'Refunds',
    description: `Gives money of a bill back to the customer: through the provider if that is possible, else a person of the shop is asked to return it.
The answer does not wait for the money. Read the refund later, or watch \`reversedAmount\` of the bill.

Send an \`Idempotency-Key\`: it is required, because a repetition must not pay twice. A repetition, at any later time, returns the same refund in its present
state. Above the limit that the merchant has set, a second person must approve the refund.`,
    replays: true,
    example: { body: { amount: 1500, reason: 'One item was sold out' }, answer: REFUND_EXAMPLE },
  },
  keyScope: 'refund',
  whileSuspended: false,
  params: billPath,
  query: NO_PARAMETERS,
  body: jsonBody(({ MAX_BILL_AMOUNT }) => refundBody(MAX_BILL_AMOUNT), { keyed: 'required' }),
  response: refundSchema,
  inputFailures: REFUND_INPUT_FAILURES,
  failures: REFUND_FAILURES,
  async handler({ runtime, scope, key, params, body, unknown, idempotencyKey }) {
    const refunded = await refundBill(runtime, keyAccess(key, scope), { billId: params.id, body, idempotencyKey });
    if (!refunded.ok) return refunded;
    const { refund, replayed } = refunded.value;
    const headers = { ...ignoredHeader(unknown), ...(replayed && { 'idempotency-replayed': 'true' }) };
    return ok({ json: refundJson(refund), about: { billId: params.id }, headers });
  },
});

export const closeBillRoute = changeRoute({
  path: '/api/v3/bills/:id/close',
  summary: 'Close a bill',
  docs: {
    operationId: 'closeBill',
    tag: 'Bills',
    description: `Closes a bill, for example because the order was cancelled: nobody can pay it, and no more payment requests are sent for it. Closing a
closed bill changes nothing and succeeds. A bill with an open payment request cannot be closed, because the customer may still approve it. The body may
be empty.`,
    example: { body: { reason: 'The customer cancelled the order' }, answer: CLOSED_BILL_EXAMPLE },
  },
  change: closeMerchantBill,
});

export const reopenBillRoute = changeRoute({
  path: '/api/v3/bills/:id/reopen',
  summary: 'Reopen a bill',
  docs: {
    operationId: 'reopenBill',
    tag: 'Bills',
    description: 'Opens a closed bill again. Reopening an open bill changes nothing and succeeds. The body may be empty.',
    example: { body: { reason: 'The customer wants the order after all' }, answer: OPEN_BILL_EXAMPLE },
  },
  change: reopenMerchantBill,
});

interface ChangeRoute extends Pick<ApiRoute, 'path' | 'summary'> {
  readonly docs: RouteDocs<z.output<typeof billSchema>>;
  readonly change: (runtime: ApiRuntime, access: KeyAccess, options: ChangeOptions) => Promise<Result<null, CloseFailure>>;
}

/** Declares a route that closes or reopens a bill. It answers with the changed bill. */
function changeRoute({ change, ...facts }: ChangeRoute) {
  return apiRoute({
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
}

export const controlSandboxTimeRoute = apiRoute({
  method: 'POST',
  path: '/api/v3/sandbox/time',
  summary: 'Control the time of the sandbox',
  docs: {
    operationId: 'controlSandboxTime',
    tag: 'Sandbox',
    description: `Only in the sandbox. \`advanceSeconds\` brings everything forward that is still to come: the expiry and the due date of open bills, what
simulated phones do next, and the next attempts of webhooks. The clock itself does not move, so the times of what has happened stay as they
are. A due date moves by whole days. A request moves at most 10,000 bills, payment requests and webhooks: while \`more\` is true, send \`cursor\`
as \`after\` with the next request, and the same \`advanceSeconds\`.

\`delayPercent\` makes simulated phones faster, and the pauses before a webhook is repeated shorter, until it is set to 100 again.`,
    example: { body: { advanceSeconds: 86_400, delayPercent: 10 }, answer: TIME_EXAMPLE },
  },
  keyScope: 'create',
  whileSuspended: false,
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: jsonBody(() => timeBody, { mayBeEmpty: true }),
  response: timeSchema,
  inputFailures: ['advance_invalid', 'delay_invalid', 'after_invalid'],
  failures: ['not_found'],
  async handler({ runtime, scope, key, body, unknown }) {
    const { advanceSeconds = null, delayPercent = null, after = null } = body;
    const changed = await controlTime(runtime, keyAccess(key, scope), { advanceSeconds, delayPercent, after });
    if (changed.ok) return ok({ json: JSON.stringify(changed.value), headers: ignoredHeader(unknown) });
    if (changed.error === 'live') return fail({ code: 'not_found' });
    throw new Error(`the time of a sandbox could not be changed by the API: ${changed.error}`);
  },
});

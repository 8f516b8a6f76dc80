import { z } from 'zod';
import { closeShift } from '@/lib/backoffice/counter/close-shift';
import { enterBill } from '@/lib/backoffice/counter/enter-bill';
import { type CounterView, showCounter, showEntry } from '@/lib/backoffice/counter/show-counter';
import { showShift } from '@/lib/backoffice/counter/show-shift';
import { takeCash, takesCash } from '@/lib/backoffice/counter/take-cash';
import {
  AMOUNT_FAILURES,
  askedBody,
  COUNTER_BILL_EXAMPLE,
  cashBody,
  cashFailure,
  closedBody,
  closedShiftJson,
  closedShiftSchema,
  counterBillSchema,
  counterBillsSchema,
  ENTERED_FAILURES,
  enteredBody,
  entryJson,
  openShiftSchema,
  SHIFT_EXAMPLE,
  shiftJson,
} from '@/lib/entry/api/counter';
import { PUSH_FAILURES, promptFailure } from '@/lib/entry/api/push-bill';
import { type ApiAnswer, NO_PARAMETERS } from '@/lib/entry/http/api';
import { type CounterRoute, type GuestRequest, guestRoute, type SessionRequest, sessionRoute } from '@/lib/entry/http/counter-api';
import { ignoredHeader, jsonBody, NO_BODY } from '@/lib/entry/http/sent-request';
import { payableAmount } from '@/lib/gateway/bills/rules';
import { billPath } from '@/lib/gateway/bills/schema';
import { promptAgain } from '@/lib/gateway/prompts/prompt-again';
import { PIN } from '@/lib/identity/accounts/cashier-rules';
import { type DeviceSecret, encryptDeviceSecret } from '@/lib/identity/accounts/sign-in/device-secret';
import { signOut } from '@/lib/identity/accounts/sign-in/sign-in';
import { signInOnDevice } from '@/lib/identity/accounts/sign-in/sign-in-with-pin';
import { joinAsCashier } from '@/lib/identity/accounts/team/join-as-cashier';
import { baseUrl } from '@/lib/platform/config/settings';
import { SECOND_MS } from '@/lib/platform/core/clock';
import type { Failure, FailureCode } from '@/lib/platform/core/failure';
import { isUuid } from '@/lib/platform/core/ids';
import { formatDecimal } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';

// The routes of applications that work as the counter of a shop. They call the use cases of the counter in the browser.

/** Why a bill is refused that the schema of the request allows. */
const REFUSED = [...ENTERED_FAILURES, 'reference_used'] as const;

/** Returns the schema of a text of a request. A text that is missing or too long gets this failure. */
const text = (error: FailureCode, description: string) => z.string({ error }).max(400, { error }).meta({ description });

const pinText = (description: string) => z.string({ error: 'pin_invalid' }).regex(PIN, { error: 'pin_invalid' }).meta({ description });

const secretsSchema = z.strictObject({
  secret: z.string().meta({ description: 'The secret of the session, for the header `x-secret`.' }),
  device: z
    .string()
    .meta({ description: 'The secret of the device, for the next sign-in. Store the newest one where only your application can read it.' }),
});
const SECRETS_EXAMPLE = { secret: 'bO2l8Yc3xqTn4Zk1uWv7eRj5sHg9mPdA6fXiLoKtCyE', device: 'AVq3kJ0xT2mZb9LsXc5TgUa8HdMfi7vQe1' };

function secretsJson({ runtime }: GuestRequest, secret: string, device: DeviceSecret): string {
  return JSON.stringify({ secret, device: encryptDeviceSecret(runtime, device) });
}

const joinDevice = guestRoute({
  method: 'POST',
  path: '/api/v2/devices',
  summary: 'Join as a cashier',
  docs: {
    operationId: 'joinDevice',
    tag: 'Internal',
    description: `Accepts the invitation of a cashier, once, and starts the first session. The token is the last part of the link that the shop sent. The cashier
chooses the pin.`,
    example: { body: { token: 'kYw3PbZ2n0Jr7vQe1LsXc5TgUa8HdMfi', pin: '604183' }, answer: SECRETS_EXAMPLE },
  },
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: jsonBody(
    () =>
      z.object({
        token: text('invitation_invalid', 'The token of the invitation.'),
        pin: pinText('Six digits that are not easy to guess.'),
      }),
    { keyed: false },
  ),
  response: secretsSchema,
  inputFailures: [],
  failures: ['invitation_invalid', 'pin_invalid'],
  async handler(call) {
    const { token, pin } = call.body;
    const joined = await joinAsCashier(call.runtime, { token, pin, repeated: pin, devices: [], session: null, ...call.from });
    if (joined.ok) return ok({ json: secretsJson(call, joined.value.token, joined.value.device), headers: ignoredHeader(call.unknown) });
    const wrongPin = joined.error === 'pin_not_six_digits' || joined.error === 'pin_too_easy';
    return fail({ code: wrongPin ? 'pin_invalid' : 'invitation_invalid' });
  },
});

const startCounterSession = guestRoute({
  method: 'POST',
  path: '/api/v2/session',
  summary: 'Sign in',
  docs: {
    operationId: 'startCounterSession',
    tag: 'Internal',
    description: `Starts a session with the secret of the device and the pin. It lasts 14 hours at most. After 5 wrong pins the device is locked; the shop
makes a new invitation then.`,
    example: { body: { login: '0712345678', device: 'AVq3kJ0xT2mZb9LsXc5TgUa8HdMfi7vQe1', pin: '604183' }, answer: SECRETS_EXAMPLE },
  },
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: jsonBody(
    () =>
      z.object({
        login: text('device_invalid', "The cashier's login name or phone number."),
        device: text('device_invalid', 'The newest secret of the device.'),
        pin: pinText('The pin of the cashier.'),
      }),
    { keyed: false },
  ),
  response: secretsSchema,
  inputFailures: [],
  failures: ['device_invalid', 'device_locked', 'pin_invalid', 'pin_wrong', 'too_many_requests'],
  async handler(call) {
    const { login, device: secret, pin } = call.body;
    const signedIn = await signInOnDevice(call.runtime, { login, secret, pin, ...call.from });
    if (signedIn.ok)
      return ok({ json: secretsJson(call, signedIn.value.token, signedIn.value.device), headers: ignoredHeader(call.unknown) });
    const { error } = signedIn;
    switch (error.code) {
      case 'wrong':
        return fail({ code: 'pin_wrong', detail: String(error.left) });
      case 'locked':
        return fail({ code: 'device_locked' });
      case 'wait': {
        const seconds = Math.max(1, Math.ceil((error.until.getTime() - call.runtime.clock().getTime()) / SECOND_MS));
        return fail({ code: 'too_many_requests', headers: { 'retry-after': String(seconds) } });
      }
      default:
        return fail({ code: 'device_invalid' });
    }
  },
});

const endCounterSession = sessionRoute({
  method: 'DELETE',
  path: '/api/v2/session',
  summary: 'Sign out',
  docs: {
    operationId: 'endCounterSession',
    tag: 'Internal',
    description: 'Ends the session. The device stays known.',
    example: { answer: {} },
  },
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: z.strictObject({}),
  inputFailures: [],
  failures: [],
  async handler({ runtime, secret: token, from: { address } }) {
    await signOut(runtime, { token, address });
    return ok({ json: '{}' });
  },
});

const enterCounterBill = sessionRoute({
  method: 'POST',
  path: '/api/v2/bills',
  summary: 'Create a bill at the counter',
  docs: {
    operationId: 'enterCounterBill',
    tag: 'Internal',
    description: `Creates a bill, and opens a shift if none is open. With \`mobile\`, the phone gets a payment request. A bill that waited on the device until its
\`confirmedAt\` is older than 2 minutes is refused with \`entry_stale\`: ask the cashier whether the customer is still there.`,
    example: {
      body: { id: COUNTER_BILL_EXAMPLE.entry, amount: 5000 },
      answer: { ...COUNTER_BILL_EXAMPLE, mobile: null, state: 'open' },
    },
  },
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: jsonBody(({ MAX_BILL_AMOUNT }) => enteredBody(MAX_BILL_AMOUNT), { keyed: false }),
  response: counterBillSchema,
  inputFailures: ENTERED_FAILURES,
  failures: ['entry_stale', 'not_allowed', 'profile_not_found', ...REFUSED],
  async handler({ runtime, access, body, unknown }) {
    const { id: entryId, amount, reference, mobile, confirmedAt } = body;
    const typed = { amount: formatDecimal(amount), reference: reference ?? '', mobile: mobile ?? '', prompt: mobile !== null };
    const entered = await enterBill(runtime, access, { entryId, ...typed, confirmedAt: confirmedAt ?? null });
    const headers = ignoredHeader(unknown);
    if (entered.ok)
      return ok({
        json: entryJson(entered.value, baseUrl(runtime.settings, access.scope.environment)),
        about: { billId: entered.value.billId },
        headers,
      });
    const { error } = entered;
    switch (error.kind) {
      case 'stale':
        return fail({ code: 'entry_stale' });
      case 'inactive':
        return fail({ code: 'profile_not_found' });
      case 'entry_invalid':
        return fail({ code: 'id_invalid' });
      case 'wrong': {
        const code = REFUSED.find((one) => error.problems.some((problem) => problem.code === one));
        if (code === undefined) throw new Error(`the bill of an entry was refused: ${JSON.stringify(error.problems)}`);
        return fail({ code });
      }
      default:
        return fail({ code: 'not_allowed' });
    }
  },
});

const listCounterBills = sessionRoute({
  method: 'GET',
  path: '/api/v2/bills',
  summary: 'List the bills of the shift',
  docs: {
    operationId: 'listCounterBills',
    tag: 'Internal',
    description: 'Returns the newest 500 bills of the open shift, oldest first, in their present state. Empty if no shift is open.',
    example: { answer: { bills: [COUNTER_BILL_EXAMPLE] } },
  },
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: counterBillsSchema,
  inputFailures: [],
  failures: ['not_allowed'],
  async handler({ runtime, access }) {
    const view = await showCounter(runtime, access);
    if (!view) return fail({ code: 'not_allowed' });
    const summary = view.shift && (await showShift(runtime, access, view.shift.id));
    const base = baseUrl(runtime.settings, access.scope.environment);
    return ok({ json: `{"bills":[${(summary?.entries ?? []).map((entry) => entryJson(entry, base)).join()}]}` });
  },
});

const getCounterBill = sessionRoute({
  method: 'GET',
  path: '/api/v2/bills/:id',
  summary: 'Get a bill of the counter',
  docs: {
    operationId: 'getCounterBill',
    tag: 'Internal',
    description: 'Returns a bill that this cashier created, in its present state. Ask every 2 seconds while a customer is waiting.',
    example: { answer: COUNTER_BILL_EXAMPLE },
  },
  params: billPath,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: counterBillSchema,
  inputFailures: [],
  failures: ['bill_not_found'],
  handler: answerBill,
});

const askCounterBill = sessionRoute({
  method: 'POST',
  path: '/api/v2/bills/:id/requests',
  summary: 'Ask again',
  docs: {
    operationId: 'askCounterBill',
    tag: 'Internal',
    description: 'Sends a payment request for what is left of a bill that this cashier created.',
    example: { body: { id: '5d2c7a61-0f4e-4b5a-8c1d-93e6b7f0a214', mobile: '0754345001' }, answer: COUNTER_BILL_EXAMPLE },
  },
  params: billPath,
  query: NO_PARAMETERS,
  body: jsonBody(() => askedBody, { keyed: false }),
  response: counterBillSchema,
  inputFailures: ['id_invalid', 'mobile_not_string', 'mobile_invalid'],
  failures: [...PUSH_FAILURES, 'not_allowed'],
  async handler(call) {
    const { runtime, access, params, body } = call;
    const entry = await findEntry(call);
    if (!entry.ok) return entry;
    const mobile = body.mobile ?? entry.value.mobile;
    if (mobile === null) return fail({ code: 'mobile_required' });
    const asked = { billId: entry.value.billId, mobile, network: '', amount: null, formId: body.id, from: 'counter' } as const;
    const requested = await promptAgain(runtime, access, asked);
    if (requested.ok) return answerBill(call);
    const { kind } = requested.error;
    if (kind === 'not_allowed' || kind === 'second_factor_due') return fail({ code: 'not_allowed' });
    return fail(promptFailure(requested.error, params.id, runtime.clock()));
  },
});

const takeCounterCash = sessionRoute({
  method: 'POST',
  path: '/api/v2/bills/:id/cash',
  summary: 'Record cash',
  docs: {
    operationId: 'takeCounterCash',
    tag: 'Internal',
    description:
      'Records that the cashier received money for a bill of the open shift, if the merchant allows it: see `takesCash` of the shift.',
    example: {
      body: { id: '8f14e45f-ceea-467f-a1d2-6c3b9e0d5f72', amount: 5000 },
      answer: {
        ...COUNTER_BILL_EXAMPLE,
        status: 'FULLY_PAID',
        paidAmount: 5000,
        remainingAmount: 0,
        cashAmount: 5000,
        cashDue: 0,
        state: 'paid',
      },
    },
  },
  params: billPath,
  query: NO_PARAMETERS,
  body: jsonBody(({ MAX_BILL_AMOUNT }) => cashBody(MAX_BILL_AMOUNT), { keyed: false }),
  response: counterBillSchema,
  inputFailures: ['id_invalid', ...AMOUNT_FAILURES],
  failures: ['bill_not_found', 'payment_request_open', 'cash_too_much', 'shift_closed', 'id_used', 'not_allowed'],
  async handler(call) {
    const { runtime, access, params, body } = call;
    const entry = await findEntry(call);
    if (!entry.ok) return entry;
    const taken = await takeCash(runtime, access, { billId: entry.value.billId, amount: body.amount, formId: body.id });
    if (taken.ok) return answerBill(call);
    return fail(cashFailure(taken.error, params.id, payableAmount({ ...entry.value, reservedAmount: 0n })));
  },
});

const getShift = sessionRoute({
  method: 'GET',
  path: '/api/v2/shift',
  summary: 'Get the open shift',
  docs: {
    operationId: 'getShift',
    tag: 'Internal',
    description: 'Returns the open shift of this cashier with its sums.',
    example: { answer: { shift: { ...SHIFT_EXAMPLE, cashAmount: 0 }, takesCash: true } },
  },
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: openShiftSchema,
  inputFailures: [],
  failures: ['not_allowed'],
  async handler({ runtime, access }) {
    const view = await showCounter(runtime, access);
    return view ? ok({ json: shiftJson(view, await takesCash(runtime, access)) }) : fail({ code: 'not_allowed' });
  },
});

const closeCounterShift = sessionRoute({
  method: 'POST',
  path: '/api/v2/shift/close',
  summary: 'Close the shift',
  docs: {
    operationId: 'closeCounterShift',
    tag: 'Internal',
    description:
      'Closes a shift of this cashier. The next bill opens a new one. A repetition changes nothing, and returns the closed shift.',
    example: {
      body: { id: SHIFT_EXAMPLE.id, counted: 4500 },
      answer: {
        ...SHIFT_EXAMPLE,
        paid: 1,
        receivedAmount: 5000,
        closedAt: SHIFT_EXAMPLE.openedAt + 3_600_000,
        expectedCash: 5000,
        countedCash: 4500,
      },
    },
  },
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: jsonBody(() => closedBody, { keyed: false }),
  response: closedShiftSchema,
  inputFailures: ['id_invalid', 'count_invalid'],
  failures: ['shift_not_found', 'count_invalid', 'not_allowed'],
  async handler({ runtime, access, body, unknown }) {
    const closed = await closeShift(runtime, access, { id: body.id, counted: body.counted ?? '' });
    const headers = ignoredHeader(unknown);
    if (!closed.ok) return fail({ code: CLOSE_CODES[closed.error] });
    const summary = await showShift(runtime, access, body.id);
    return summary ? ok({ json: closedShiftJson(summary), headers }) : fail({ code: 'shift_not_found' });
  },
});

const CLOSE_CODES = {
  no_such_shift: 'shift_not_found',
  count_required: 'count_invalid',
  count_invalid: 'count_invalid',
  not_allowed: 'not_allowed',
  second_factor_due: 'not_allowed',
} as const;

interface BillCall extends Pick<SessionRequest, 'runtime' | 'access'> {
  readonly params: z.output<typeof billPath>;
  readonly unknown: readonly string[];
}

/** Returns a bill that the cashier created. */
async function findEntry({
  runtime,
  access,
  params: { id },
}: BillCall): Promise<Result<CounterView['entries'][number], Failure<'bill_not_found'>>> {
  const entry = isUuid(id) ? await showEntry(runtime, access, id) : null;
  return entry ? ok(entry) : fail({ code: 'bill_not_found', detail: id });
}

/** Answers with a bill of the cashier in its present state. */
async function answerBill(call: BillCall): Promise<Result<ApiAnswer, Failure<'bill_not_found'>>> {
  const entry = await findEntry(call);
  if (!entry.ok) return entry;
  const json = entryJson(entry.value, baseUrl(call.runtime.settings, call.access.scope.environment));
  return ok({ json, about: { billId: entry.value.billId }, headers: ignoredHeader(call.unknown) });
}

/** The declared routes of the interface for applications of cashiers. */
export const COUNTER_ROUTES: readonly CounterRoute[] = [
  joinDevice,
  startCounterSession,
  endCounterSession,
  enterCounterBill,
  listCounterBills,
  getCounterBill,
  askCounterBill,
  takeCounterCash,
  getShift,
  closeCounterShift,
];

import type { z } from 'zod';
import { fail, ok, type Result } from '@/lib/core/result';
import { CODES, type Code, isCode } from './codes';
import { announce, announceSteps } from './simulated-callbacks';
import { hold, type Platform } from './simulated-platform';
import { PATHS, paymentRequestSchema, reversalRequestSchema, statusRequestSchema } from './wire';

/**
 * An answer. A body of type string is sent as an HTML page. `cut` closes the connection without an answer. `why` is the reason of a refusal:
 * it is not sent, and `GET /control` shows it.
 */
export type Reply = { readonly status: number; readonly body: object | string; readonly why?: string } | 'cut';

interface SimulatedRequest {
  readonly authorization: string | undefined;
  /** The fields of the body, or of the query string of a GET. */
  readonly fields: unknown;
}

interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly answer: (platform: Platform, request: SimulatedRequest) => Reply | Promise<Reply>;
}

export const OPERATIONS: readonly Operation[] = [
  { method: 'GET', path: PATHS.session, answer: openSession },
  { method: 'POST', path: PATHS.payment, answer: withSession(takePayment) },
  { method: 'GET', path: PATHS.status, answer: withSession(reportStatus) },
  { method: 'PUT', path: PATHS.reversal, answer: withSession(reverse) },
];

/** Creates the answer with a result code. */
export function replyWith(code: Code, fields: object = {}, status: number = CODES[code].http) {
  const { description } = CODES[code];
  const body = { output_ResponseCode: code, output_ResponseDesc: description, ...fields };
  return { status, body, ...(code !== 'INS-0' && { why: `${code}: ${description}` }) };
}

const unauthorized = (what: string): Reply => ({
  status: 401,
  body: 'Unauthorized',
  why: `The header Authorization must be Bearer and ${what}, encrypted with the public key (RSA, PKCS #1) in base64`,
});

function withSession(answer: Operation['answer']): Operation['answer'] {
  return (platform, request) =>
    platform.access.admits(request.authorization) ? answer(platform, request) : unauthorized('the id of a session that is valid now');
}

function openSession({ access, conduct }: Platform, { authorization }: SimulatedRequest): Reply {
  const id = access.openSession(authorization);
  if (id === null) return unauthorized('the API key');
  return conduct.sessionsFail ? replyWith('INS-989') : replyWith('INS-0', { output_SessionID: id }, 200);
}

async function takePayment(platform: Platform, { fields }: SimulatedRequest): Promise<Reply> {
  const { record, conduct, chooseBehaviour } = platform;
  const request = validate(paymentRequestSchema, fields, platform);
  if (!request.ok) return { ...replyWith(request.error.code), why: request.error.why };
  if (conduct.suspended) return replyWith('INS-997');
  const { input_ThirdPartyConversationID: ours, input_CustomerMSISDN: msisdn, input_Amount: amount } = request.value;
  const behaviour = chooseBehaviour(msisdn);
  const { refusal, answer, steps } = behaviour;
  if (refusal?.kind === 'cut') return 'cut';
  if (refusal?.kind === 'http')
    return { ...refusal, why: `The number ends in ${msisdn.slice(-3)}, for which the simulator gives this answer` };
  if (!record.claimId(ours)) return replyWith('INS-10', { output_ThirdPartyConversationID: ours });
  if (refusal) return replyWith(refusal.code, { output_ThirdPartyConversationID: ours });
  if (conduct.dailyLimit !== null && record.requestedToday(msisdn) + Number(amount) > conduct.dailyLimit) return replyWith('INS-990');

  const transaction = record.take(request.value, behaviour);
  const ids = { output_ConversationID: transaction.conversationId, output_ThirdPartyConversationID: ours };
  const announced = announceSteps(platform, transaction);
  if (answer === 'cut') return 'cut';
  if (answer === 'html') return { status: 200, body: '<html>Please wait</html>' };
  if (conduct.mode === 'async') {
    if (answer === 'after_callback') await announced;
    return replyWith('INS-0', ids);
  }
  const [first] = steps;
  if (!first) return replyWith('INS-9', ids);
  await hold(platform, first.afterMs);
  return replyWith(first.code, { ...ids, ...(first.code === 'INS-0' && { output_TransactionID: transaction.transactionId }) });
}

function reportStatus(platform: Platform, { fields }: SimulatedRequest): Reply {
  const { record, indexingMs } = platform;
  const request = validate(statusRequestSchema, fields, platform);
  if (!request.ok) return { ...replyWith(request.error.code), why: request.error.why };
  const { input_QueryReference: reference, input_ThirdPartyConversationID: ours } = request.value;
  const ids = { output_ConversationID: record.newConversationId(), output_ThirdPartyConversationID: ours };
  const found = record.find(reference);
  if (!found || record.isHidden(found, indexingMs)) return replyWith('INS-23', { ...ids, output_ResponseTransactionStatus: 'N/A' });
  const status = record.statusOf(found);
  const completed = status === 'Completed';
  return replyWith(
    'INS-0',
    {
      ...ids,
      output_ResponseTransactionStatus: status,
      output_OriginalTransactionID: completed ? found.transactionId : 'N/A',
      output_Reversed: completed && record.isReversed(found) ? 'True' : 'False',
    },
    200,
  );
}

function reverse(platform: Platform, { fields }: SimulatedRequest): Reply {
  const { record, conduct, announcements } = platform;
  const request = validate(reversalRequestSchema, fields, platform);
  if (!request.ok) return { ...replyWith(request.error.code), why: request.error.why };
  const { input_ThirdPartyConversationID: ours } = request.value;
  if (!record.claimId(ours)) return replyWith('INS-10', { output_ThirdPartyConversationID: ours });
  const problem = record.reverse(request.value);
  if (problem) return replyWith(problem, { output_ThirdPartyConversationID: ours });
  const conversationId = record.newConversationId();
  const transactionId = record.newReceipt();
  const ids = { output_ConversationID: conversationId, output_ThirdPartyConversationID: ours };
  if (conduct.mode === 'sync') return replyWith('INS-0', { ...ids, output_TransactionID: transactionId });
  if (conduct.callbackUrl !== null) {
    const result = { conversationId, thirdPartyConversationId: ours, transactionId, code: 'INS-0' } as const;
    announce(platform, conduct.callbackUrl, result).then((sent) => announcements.push(sent));
  }
  return replyWith('INS-0', ids);
}

/** Validates a request. A missing field is reported before a malformed one. The shortcode must be the application's. */
function validate<Fields extends { readonly input_ServiceProviderCode: string }>(
  schema: z.ZodType<Fields>,
  fields: unknown,
  { serviceProviderCode }: Platform,
): Result<Fields, { readonly code: Code; readonly why: string }> {
  const parsed = schema.safeParse(fields);
  if (parsed.success && parsed.data.input_ServiceProviderCode === serviceProviderCode) return ok(parsed.data);
  if (parsed.success) return fail({ code: 'INS-13', why: `input_ServiceProviderCode must be ${serviceProviderCode}` });
  const codes = parsed.error.issues.map(({ message }) => message).filter(isCode);
  const code = codes.includes('INS-20') ? 'INS-20' : (codes[0] ?? 'INS-21');
  return fail({
    code,
    why: parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'fields'}: ${describeCode(message)}`).join('; '),
  });
}

function describeCode(message: string): string {
  return isCode(message) ? CODES[message].description : message;
}

import type { Ending } from '@/lib/providers/kit/behaviours';
import type { SimulatedPayment } from '@/lib/providers/kit/record';
import type { Reply, Route, SimulatedRequest } from '@/lib/providers/kit/server';
import {
  BAD_GATEWAY,
  describeIssues,
  NO_TOKEN,
  type Protocol,
  type Simulation,
  type SimulationOptions,
  startSimulation,
} from '@/lib/providers/kit/simulation';
import { readFlatXml, writeFlatXml } from '@/lib/providers/port/xml';
import type { MixxCredentialsInput } from './adapter';
import { COMMAND, pushRequestSchema, REFUND_FAILED, REFUNDED, refundRequestSchema, STATUS_TYPE, tokenRequestSchema } from './wire';

const PATHS = { token: '/GetToken', push: '/PushBillPay', status: '/TQS', refund: '/Refund' };
const USER = { username: 'simulated', password: 'simulated-password' };
const BILLER = { msisdn: '255710000000', code: 'BILI', pin: '1234' };

const DESCRIPTIONS: Readonly<Record<Ending, string>> = {
  paid: 'Transaction successful',
  cancelled: 'Transaction cancelled by customer',
  wrong_pin: 'Customer entered a wrong PIN',
  insufficient_funds: 'Customer has insufficient balance',
  internal_error: 'Backend error',
  expired: 'Customer did not respond: timed out',
};

/**
 * The error codes for members of a payment request: MISSING if the member is missing, INVALID if its value is invalid. For all other
 * members, the simulator answers with the general code for a missing field.
 */
const MISSING: ReadonlyMap<string, string> = new Map([
  ['CustomerMSISDN', 'DebitMandate-10-2002-E'],
  ['BillerMSISDN', 'DebitMandate-10-2038-V'],
]);
const INVALID: ReadonlyMap<string, string> = new Map([
  ['CustomerMSISDN', 'DebitMandate-10-2004-V'],
  ['BillerMSISDN', 'BILLER-18-3040-E'],
  ['ReferenceID', 'DebitMandate-10-2020-V'],
]);

/** @param why the reason of a refusal for `GET /control`; by default the description. */
function pushAnswer(ResponseCode: string, ReferenceID: string, ResponseDescription: string, why = ResponseDescription): Reply {
  const isAccepted = ResponseCode.endsWith('-S');
  const body = { ResponseCode, ResponseStatus: isAccepted, ResponseDescription, ReferenceID };
  return { status: 200, body, ...(!isAccepted && { why }) };
}

/** Starts a simulator of Mixx by Yas. Its callbacks are not signed. */
export async function startMixxSimulator(options: SimulationOptions) {
  const protocol = {
    credentials: (url) => ({
      ...USER,
      billerMsisdn: BILLER.msisdn,
      billerCode: BILLER.code,
      tokenUrl: `${url}${PATHS.token}`,
      pushUrl: `${url}${PATHS.push}`,
      statusUrl: `${url}${PATHS.status}`,
      statusPin: BILLER.pin,
      refundUrl: `${url}${PATHS.refund}`,
      refundMsisdn: BILLER.msisdn,
      refundPin: BILLER.pin,
    }),
    tokenPath: PATHS.token,
    tooManyRequests: { status: 429, body: { ResponseDescription: 'Too many requests' } },
    repeatPausesMs: [],
    callback({ id, reference, amount }, ending) {
      const isPaid = ending === 'paid';
      return {
        body: JSON.stringify({
          Status: isPaid,
          Description: DESCRIPTIONS[ending],
          ...(isPaid && { MFSTransactionID: id }),
          ReferenceID: reference,
          Amount: String(amount),
        }),
      };
    },
    routes,
  } satisfies Protocol<null, MixxCredentialsInput>;
  return startSimulation(protocol, options);
}

function routes(simulation: Simulation<null>): readonly Route[] {
  const authorised =
    (answer: Route['answer']): Route['answer'] =>
    (request) => {
      const { authorization, username, password } = request.headers;
      if (!simulation.tokens.admits(authorization)) return { status: 401, body: '<html>Unauthorized</html>', why: NO_TOKEN };
      if (username !== USER.username || password !== USER.password)
        return pushAnswer(
          'DebitMandate-10-3000-E',
          '',
          'Wrong credentials',
          'The headers Username and Password must be those of the token',
        );
      return answer(request);
    };
  return [
    { method: 'POST', path: PATHS.token, answer: (request) => issueToken(simulation, request) },
    { method: 'POST', path: PATHS.push, answer: authorised((request) => takePayment(simulation, request)) },
    { method: 'POST', path: PATHS.status, answer: ({ text }) => answerStatus(simulation, BILLER, text) },
    { method: 'POST', path: PATHS.refund, answer: authorised(({ body }) => refund(simulation, BILLER, body)) },
  ];
}

function issueToken({ conduct, tokens }: Simulation<null>, { text, headers }: SimulatedRequest): Reply {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  const request = tokenRequestSchema.safeParse(Object.fromEntries(new URLSearchParams(text))).data;
  if (!isForm || !request)
    return {
      status: 400,
      body: { error: 'unsupported_grant_type' },
      why: 'The body must be a form with username, password and grant_type',
    };
  const isKnown = request.username === USER.username && request.password === USER.password;
  if (conduct.tokensFail || !isKnown)
    return {
      status: 400,
      body: { error: 'invalid_grant' },
      why: isKnown ? 'POST /control set tokensFail' : 'username or password is wrong',
    };
  return { status: 200, body: { access_token: tokens.issue(), token_type: 'bearer', expires_in: tokens.lifeMs / 1_000 } };
}

async function takePayment(simulation: Simulation<null>, { body }: SimulatedRequest): Promise<Reply> {
  const { record, conduct, random } = simulation;
  const parsed = pushRequestSchema.safeParse(body);
  if (!parsed.success) {
    const [member = ''] = parsed.error.issues.map(({ path }) => path.join('.'));
    const isMissing = parsed.error.issues[0]?.code === 'invalid_type';
    return pushAnswer(
      (isMissing ? MISSING : INVALID).get(member) ?? 'DebitMandate-10-2003-E',
      '',
      `${member} is missing or invalid`,
      describeIssues(parsed.error),
    );
  }
  const { ReferenceID: reference, BillerMSISDN, CustomerMSISDN: mobile, Amount: amount } = parsed.data;
  if (BillerMSISDN !== BILLER.msisdn) return pushAnswer('BILLER-18-3040-E', reference, 'Wrong BillerMSISDN');
  if (conduct.suspended) return pushAnswer('BILLER-18-3022-E', reference, 'Biller is not active');
  if (!reference.startsWith(BILLER.code))
    return pushAnswer('DebitMandate-10-2020-V', reference, 'Invalid ReferenceID', `ReferenceID must begin with ${BILLER.code}`);
  if (record.findByReference(reference)) return pushAnswer('BILLER-18-3020-E', reference, 'DuplicateRefID');
  const id = `MP${Buffer.from(random(6)).toString('hex').toUpperCase()}`;
  return simulation.take(
    { reference, id, mobile, amount, details: null },
    {
      accepted: (payment: SimulatedPayment<null>) => pushAnswer('BILLER-18-0000-S', payment.reference, 'Request accepted'),
      refused: (refusal) =>
        refusal === 'limit_exceeded'
          ? pushAnswer('BILLER-18-3018-E', reference, 'Daily limit exceeded')
          : pushAnswer('DebitMandate-10-2005-E', reference, 'Customer is not registered'),
    },
  );
}

interface Biller {
  readonly msisdn: string;
  readonly code: string;
  readonly pin: string;
}

const STATUSES: Readonly<Record<Ending, readonly [status: string, description: string]>> = {
  paid: ['Posted', 'Success'],
  cancelled: ['Failed', 'Cancelled by customer'],
  wrong_pin: ['Failed', 'Wrong PIN'],
  insufficient_funds: ['Failed', 'Insufficient balance'],
  internal_error: ['Failed', 'Backend error'],
  expired: ['Expired', 'No response of the customer'],
};

function xml(fields: Readonly<Record<string, string>>): Reply {
  return {
    status: 200,
    ...(fields.RESULTCODE !== '0' && { why: fields.RESULTDESC }),
    body: writeFlatXml(COMMAND, { TYPE: `${STATUS_TYPE}Response`, ...fields }),
    headers: { 'content-type': 'text/xml' },
  };
}

/** Answers a status query. */
export function answerStatus({ record }: Simulation<null>, biller: Biller, text: string): Reply {
  const query = readFlatXml(text, COMMAND);
  if (query?.TYPE !== STATUS_TYPE) return xml({ RESULTCODE: 'GetSOError001', RESULTDESC: 'Invalid request' });
  if (query.MSISDN !== biller.msisdn || query.PIN !== biller.pin) return xml({ RESULTCODE: 'GetSOError002', RESULTDESC: 'Invalid PIN' });
  const payment = record.query(record.findByReference(query.EXTERNALREFID ?? ''));
  if (!payment) return xml({ RESULTCODE: 'GetSOError003', RESULTDESC: 'Transaction not found' });
  const ending = record.endingOf(payment);
  const isReversed = ending === 'paid' && record.isReversed(payment);
  const [status, description] = isReversed ? ['Reversed', 'Reversed'] : ending === null ? ['Pending', 'In process'] : STATUSES[ending];
  return xml({
    RESULTCODE: '0',
    RESULTDESC: description,
    TXNSTATUS: status,
    ...(ending === 'paid' && { TXNID: payment.id }),
    EXTERNALREFID: payment.reference,
    AMOUNT: String(payment.amount),
    MSISDN: payment.mobile,
    COMPANYNAME: biller.code,
  });
}

/** Refunds a whole payment, once. */
export function refund(simulation: Simulation<null>, biller: Biller, body: unknown): Reply {
  const { record } = simulation;
  const answer = (ResponseCode: string, ResponseDescription: string): Reply => ({
    status: 200,
    body: { ResponseCode, ResponseStatus: ResponseCode === REFUNDED, ResponseDescription },
    ...(ResponseCode !== REFUNDED && { why: ResponseDescription }),
  });
  const request = refundRequestSchema.safeParse(body).data;
  if (!request || request.ChannelMSISDN !== biller.msisdn || request.ChannelPIN !== biller.pin)
    return answer(REFUND_FAILED, 'Invalid request');
  if (!request.ReferenceID.startsWith(biller.code)) return answer(REFUND_FAILED, 'Invalid ReferenceID');
  const payment = record.findById(request.MFSTransactionID);
  const fits =
    payment?.reference === request.PurchaseReferenceID && payment.amount === request.Amount && payment.mobile === request.CustomerMSISDN;
  if (!payment || !fits || record.endingOf(payment) !== 'paid') return answer(REFUND_FAILED, 'No such payment');
  if (record.isReversed(payment)) return answer(REFUND_FAILED, 'Already refunded');
  return simulation.takeReversal(payment, {
    // The answer is the only message about a refund, so a refund in progress has none.
    accepted: (done) => (done ? answer(REFUNDED, 'Refunded') : BAD_GATEWAY),
    refused: answer(REFUND_FAILED, 'The refund is not allowed'),
  });
}

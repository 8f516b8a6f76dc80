import { z } from 'zod';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { isRecord } from '@/lib/platform/core/is-record';
import { isLoopback } from '@/lib/platform/core/loopback';
import { type Mobile, parseMobile, toInternational } from '@/lib/platform/core/mobile';
import { toWholeShillings } from '@/lib/platform/core/money';
import { fail, ok } from '@/lib/platform/core/result';
import type { Environment } from '@/lib/platform/core/scope';
import { credentialsReader, describeFields, originUrl, secretText, wholeNumberBetween } from '@/lib/providers/port/credentials';
import {
  type Capabilities,
  type ProviderAccount,
  type ProviderAdapter,
  type RawAnswer,
  type RawCallback,
  type ReadCallback,
  USUAL_LIMITS,
} from '@/lib/providers/port/port';
import { callJson, credentialsRefused, jsonReply, noToken, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import { createSharedSessions, OPEN_TIMEOUT_MS, type SessionDependencies } from '@/lib/providers/port/sessions';
import {
  type BillPayBody,
  CONTROL_NUMBER_OFFERS,
  kindOf,
  readChangeAnswer,
  readNumberAnswer,
  readNumberStatus,
  toAmountCall,
  toCancelCall,
  toIssueCall,
  toQueryCall,
} from './billpay-wire';
import {
  CHECKSUM_SCHEMES,
  type ClickpesaPayment,
  checksumOf,
  fits,
  namedBy,
  outcomeOf,
  PAYMENTS_PATH,
  PAYOUT_PATH,
  PAYOUTS_PATH,
  type PayoutRequest,
  PUSH_PATH,
  type PushRequest,
  readPayoutAnswer,
  readPayoutStatus,
  readPushAnswer,
  readStatusAnswer,
  refusesClient,
  refusesToken,
  TOKEN_PATH,
  tokenSchema,
  webhookSchema,
} from './wire';

const LIVE_HOST = 'api.clickpesa.com';
const LIVE_URL = `https://${LIVE_HOST}`;
const SANDBOX_HOST = 'api-sandbox.clickpesa.com';
const PER_MINUTE = 120;

const credentialsSchema = z.strictObject({
  clientId: secretText('clientId', 4, 200),
  apiKey: secretText('apiKey', 4, 500),
  checksumKey: secretText('checksumKey', 4, 500).optional(),
  checksumScheme: z.enum(CHECKSUM_SCHEMES, 'checksumScheme must be "canonical" or "legacy"').default('canonical'),
  payouts: z.boolean('payouts must be true or false').default(false),
  billPayNumber: z
    .string()
    .regex(/^[1-9]\d{3}$/, 'billPayNumber must be four digits')
    .optional(),
  billPayEmail: z.email('billPayEmail must be an e-mail address').optional(),
  callsPerMinute: wholeNumberBetween('callsPerMinute', 1, 10_000).default(PER_MINUTE),
  baseUrl: originUrl('baseUrl').default(LIVE_URL),
});
type ClickpesaCredentials = z.infer<typeof credentialsSchema>;
export type ClickpesaCredentialsInput = z.input<typeof credentialsSchema>;

const { parseCredentials, withCredentials, accountMembers } = credentialsReader('ClickPesa', credentialsSchema);

/** Returns what is wrong with the environment of the account: real money must never pay a sandbox bill, nor sandbox money a live bill. */
function checkEnvironment({ baseUrl }: ClickpesaCredentials, environment: Environment): readonly string[] {
  const url = new URL(baseUrl);
  if (isLoopback(url)) return [];
  if (environment === 'live') return url.hostname === LIVE_HOST ? [] : [`baseUrl must be ${LIVE_URL} for an account in live.`];
  const isSandbox = url.hostname !== LIVE_HOST && url.hostname.endsWith('.clickpesa.com');
  return isSandbox ? [] : [`baseUrl must be a sandbox of ClickPesa, such as https://${SANDBOX_HOST}, for an account in the sandbox.`];
}

export const CLICKPESA_FIELDS = describeFields<keyof ClickpesaCredentialsInput>({
  clientId: { text: "the application's client id, from the dashboard", absent: null },
  apiKey: { text: "the application's API key, which the dashboard shows once", absent: null },
  checksumKey: {
    text: "the application's checksum key. Without it, requests have no checksum, and a status query confirms each webhook",
    absent: 'no checksums',
  },
  checksumScheme: {
    text: '"canonical", or "legacy" for an application that still uses the scheme of early 2025: a status query then confirms each webhook',
    absent: 'canonical',
  },
  payouts: {
    text: 'true if refunds are paid out from the balance of the account. ClickPesa must have enabled the Payout API of the application',
    absent: 'false',
  },
  billPayNumber: {
    text: "the four digits of the merchant's BillPay-Namba, from the dashboard, if Bili issues control numbers. ClickPesa must have enabled BillPay",
    absent: 'no control numbers',
  },
  billPayEmail: {
    text: 'an e-mail address of the merchant. With it, customers can pay a control number in several parts: ClickPesa assigns it to a customer with this address',
    absent: 'each control number takes one payment of the whole amount',
  },
  callsPerMinute: { text: 'limit of requests per minute, over all workers', absent: String(PER_MINUTE) },
  baseUrl: { text: `the address of the API, without a path; https://${SANDBOX_HOST} for the sandbox`, absent: LIVE_URL },
});

/** Two SDKs put the checksum of a webhook into a header, and not into the body. */
const CHECKSUM_HEADERS = ['x-clickpesa-checksum', 'x-clickpesa-signature'];

/** For each event name in a callback: the states of the payment that agree with this event. */
const AGREEING: Readonly<Record<string, readonly string[]>> = {
  'PAYMENT RECEIVED': ['SUCCESS', 'SETTLED'],
  'PAYMENT FAILED': ['FAILED'],
};

export const CLICKPESA_CAPABILITIES: Capabilities = {
  // Neither limit of amounts is documented.
  ...USUAL_LIMITS,
  firstQueryMs: 15 * SECOND_MS,
  unknownQueryMs: 15 * SECOND_MS,
  refusesDuplicates: true,
  queriedBy: 'reference',
  repeatsAnswerMs: 0,
  signsCallbacks: true,
  indexingMs: MINUTE_MS,
  networks: ['vodacom', 'yas', 'airtel', 'halotel'],
};

type Body = PushRequest | PayoutRequest | BillPayBody;

interface Call {
  readonly path: string;
  readonly method?: 'PATCH';
  readonly body?: Body;
}

/** Creates the adapter of ClickPesa, an aggregator. */
export function createClickpesaAdapter(dependencies: SessionDependencies): ProviderAdapter {
  const sessions = createSharedSessions(dependencies);

  /** Calls ClickPesa. If ClickPesa refuses the token, it has done nothing else, and the same call is made once more with a new token. */
  async function call(
    account: ProviderAccount,
    signal: AbortSignal,
    describe: (credentials: ClickpesaCredentials) => Call,
  ): Promise<RawAnswer> {
    const first = await callWithToken(account, signal, describe);
    return refusesToken(first) ? callWithToken(account, signal, describe) : first;
  }

  function callWithToken(...[account, signal, describe]: Parameters<typeof call>): Promise<RawAnswer> {
    return withCredentials(account, async (credentials) => {
      const session = await sessions.get(account, { open: (stop) => openSession(credentials, stop) }, signal);
      if (!session.ok) return session.error;
      const { path, method, body } = describe(credentials);
      const headers = { accept: 'application/json', authorization: session.value.token };
      const answer = await callJson(new URL(path, credentials.baseUrl), { headers, body, signal, ...(method && { method }) });
      if (refusesToken(answer)) await session.value.drop();
      return answer;
    });
  }

  function callBillPay(account: ProviderAccount, signal: AbortSignal, describe: (credentials: ClickpesaCredentials) => Call | null) {
    return withCredentials(account, (credentials) => {
      const described = describe(credentials);
      if (described === null) return notSent('the account does not issue control numbers of this kind');
      const { body } = described;
      return call(account, signal, () => ({ ...described, ...(body && { body: withChecksum(body, credentials) }) }));
    });
  }

  return {
    name: 'clickpesa',
    capabilities: CLICKPESA_CAPABILITIES,
    ...accountMembers({
      callsAtOnce: 20,
      callsPerMinute: ({ callsPerMinute }) => callsPerMinute,
      check: checkEnvironment,
      address: ({ baseUrl }) => baseUrl,
      till: ({ clientId }) => ({ name: 'clientId', value: clientId, is: 'application' }),
    }),
    send: (account, prompt, signal) =>
      call(account, signal, (credentials) => {
        const body = {
          amount: toWholeShillings(prompt.amount).toString(),
          currency: 'TZS',
          orderReference: prompt.reference,
          phoneNumber: toInternational(prompt.mobile),
        } as const;
        return { path: PUSH_PATH, body: withChecksum(body, credentials) };
      }),
    readAnswer: readPushAnswer,
    query: (account, { reference }, signal) => call(account, signal, () => ({ path: `${PAYMENTS_PATH}/${reference}` })),
    readStatus: readStatusAnswer,
    readCallback: readWebhook,
    payouts: {
      minAmount: USUAL_LIMITS.minAmount,
      maxAmount: USUAL_LIMITS.maxAmount,
      networks: CLICKPESA_CAPABILITIES.networks,
      offeredBy(text) {
        const credentials = parseCredentials(text);
        return credentials.ok && credentials.value.payouts;
      },
      async send(account, { mobile, amount, reference }, signal) {
        if (mobile === null) return notSent('a payout needs the phone number of the customer');
        // Unlike a payment request, this one is not repeated with a new token: the gateway decides what is sent again.
        return callWithToken(account, signal, (credentials) => {
          const phoneNumber = toInternational(mobile);
          const body = { amount: Number(toWholeShillings(amount)), currency: 'TZS', orderReference: reference, phoneNumber } as const;
          return { path: PAYOUT_PATH, body: withChecksum(body, credentials) };
        });
      },
      readAnswer: readPayoutAnswer,
      query: (account, { reference }, signal) => call(account, signal, () => ({ path: `${PAYOUTS_PATH}/${reference}` })),
      readStatus: readPayoutStatus,
    },
    instruments: {
      offers: CONTROL_NUMBER_OFFERS,
      offeredBy(text, kind) {
        const credentials = parseCredentials(text);
        return credentials.ok && kindOf(credentials.value) === kind;
      },
      send: (account, instrument, signal) => callBillPay(account, signal, (credentials) => toIssueCall(credentials, instrument)),
      readAnswer: readNumberAnswer,
      query: (account, instrument, signal) => callBillPay(account, signal, (credentials) => toQueryCall(credentials, instrument)),
      readStatus: readNumberStatus,
      cancel: {
        send: (account, instrument, signal) => callBillPay(account, signal, (credentials) => toCancelCall(credentials, instrument)),
        readAnswer: (answer) => readChangeAnswer(answer, 'INACTIVE'),
      },
      changeAmount: {
        send: (account, instrument, signal) => callBillPay(account, signal, (credentials) => toAmountCall(credentials, instrument)),
        readAnswer: (answer) => readChangeAnswer(answer, 'ACTIVE'),
      },
    },
  };
}

function withChecksum<Sent extends Body>(body: Sent, { checksumKey, checksumScheme }: ClickpesaCredentials): Sent {
  return checksumKey === undefined ? body : { ...body, checksum: checksumOf(body, checksumKey, checksumScheme) };
}

function readWebhook(account: ProviderAccount, callback: RawCallback): ReadCallback {
  const json = parseJson(callback.body);
  const webhook = webhookSchema.safeParse(json).data;
  const event = webhook?.event ?? webhook?.eventType ?? '';
  const payment = event.startsWith('PAYMENT ') ? webhook?.data : undefined;
  // An event about a payout only makes a status query of the refund due. It says nothing about a payment.
  const about = payment ?? (event.startsWith('PAYOUT ') ? webhook?.data : undefined);
  const names = {
    reference: about ? namedBy(about) || null : null,
    providerReference: about?.id ?? null,
    payer: payment ? payerOf(payment) : null,
    reply: jsonReply({}),
  };
  const credentials = parseCredentials(account.credentials);
  if (payment && credentials.ok && isRecord(json)) {
    const { checksumKey, checksumScheme, clientId } = credentials.value;
    const given = webhook?.checksum ?? CHECKSUM_HEADERS.map((name) => callback.headers[name]).find((value) => value !== undefined);
    const ours = (payment.clientId ?? clientId) === clientId;
    // A legacy checksum proves nothing, because it does not cover the members of `data`. A message whose event and status contradict each
    // other proves nothing, too.
    const agrees = AGREEING[event]?.includes(payment.status) ?? false;
    if (
      checksumKey !== undefined &&
      checksumScheme === 'canonical' &&
      ours &&
      agrees &&
      fits(json, given ?? undefined, checksumKey, checksumScheme)
    )
      return { ...names, verified: true, outcome: outcomeOf(payment) };
  }
  return { ...names, verified: false, outcome: null, claimsPaid: payment?.status === 'SUCCESS' || payment?.status === 'SETTLED' };
}

function payerOf({ customer, customerPhoneNumber, phoneNumber }: ClickpesaPayment): Mobile | null {
  return parseMobile(customer?.customerPhoneNumber ?? customer?.phoneNumber ?? customerPhoneNumber ?? phoneNumber ?? '');
}

async function openSession({ baseUrl, clientId, apiKey }: ClickpesaCredentials, signal: AbortSignal) {
  const answer = await callJson(new URL(TOKEN_PATH, baseUrl), {
    method: 'POST',
    headers: { accept: 'application/json', 'client-id': clientId, 'api-key': apiKey },
    timeoutMs: OPEN_TIMEOUT_MS,
    signal,
  });
  if (refusesClient(answer)) return fail(credentialsRefused(answer));
  const opened = tokenSchema.safeParse(parseJson(answer.body)).data;
  if (answer.lost || !opened) return fail(noToken(answer));
  // A token is valid for an hour.
  return ok({ token: opened.token, lifeMs: HOUR_MS });
}

import { z } from 'zod';
import { addMs, type Clock, DAY_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { isRecord } from '@/lib/platform/core/is-record';
import { isLoopback } from '@/lib/platform/core/loopback';
import { parseMobile, toInternational } from '@/lib/platform/core/mobile';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/platform/core/money';
import type { Environment } from '@/lib/platform/core/scope';
import { credentialsReader, describeFields, originUrl, secretText, wholeNumberBetween } from '@/lib/providers/port/credentials';
import type { InstrumentOffer } from '@/lib/providers/port/instrument';
import {
  type Capabilities,
  type PromptRequest,
  type ProviderAccount,
  type ProviderAdapter,
  type RawAnswer,
  type RawCallback,
  type ReadCallback,
  USUAL_LIMITS,
} from '@/lib/providers/port/port';
import { CALL_TIMEOUT_MS, callJson, jsonReply, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import { CANCEL_PATH, readCancelAnswer, readInstrumentStatus, readIssueAnswer } from './instrument-wire';
import {
  ANY_WALLET,
  type Fields,
  ORDER_PATH,
  type OrderRequest,
  outcomeOf,
  PAYMENT_PATH,
  PAYOUT_PATH,
  PAYOUT_STATUS_PATH,
  type PaymentRequest,
  type PayoutRequest,
  provenFields,
  RESULT_CODES,
  readOrderAnswer,
  readPaymentAnswer,
  readPayoutAnswer,
  readPayoutStatus,
  readStatusAnswer,
  STATUS_PATH,
  signHeaders,
  type Webhook,
  webhookSchema,
} from './wire';

const LIVE_HOST = 'apigw.selcommobile.com';
const LIVE_URL = `https://${LIVE_HOST}`;
const TEST_URL = 'https://apigwtest.selcommobile.com';
/** The host of a test system of Selcom. */
const TEST_HOST = /^[a-z0-9-]*(?:test|sandbox|uat)[a-z0-9-]*\.selcommobile\.com$/;
const BUYER_NAME = 'Mobile Customer';
const ORDER_MINUTES = 60;
/** How long an instrument can be paid. Selcom documents no longest time, so it is the longest that an account may choose for prompts. */
const INSTRUMENT_MINUTES = 1_440;
/** Customers are not asked to pay in the last minutes of an order: a person needs time to type a number, and an answer may be read late. */
const CLOSING_MS = 10 * MINUTE_MS;

const credentialsSchema = z.strictObject({
  apiKey: secretText('apiKey', 4, 500),
  apiSecret: secretText('apiSecret', 4, 500),
  vendor: secretText('vendor', 1, 100),
  buyerEmail: z.email('buyerEmail must be an e-mail address'),
  buyerName: z
    .string()
    .regex(/^[\p{L}\p{N} .'-]{1,50}$/u, 'buyerName must be 1 to 50 letters, digits and spaces')
    .default(BUYER_NAME),
  buyerPhone: z
    .string()
    .regex(/^0[67]\d{8}$/, 'buyerPhone must be a mobile number such as 0712345678')
    .optional(),
  payoutPin: secretText('payoutPin', 1, 50).optional(),
  orderMinutes: wholeNumberBetween('orderMinutes', 10, 1_440).default(ORDER_MINUTES),
  baseUrl: originUrl('baseUrl').default(LIVE_URL),
});
type SelcomCredentials = z.infer<typeof credentialsSchema>;
export type SelcomCredentialsInput = z.input<typeof credentialsSchema>;

const { parseCredentials, withCredentials, accountMembers } = credentialsReader('Selcom', credentialsSchema);

/** Returns what is wrong with the environment of the account: real money must never pay a sandbox bill, nor sandbox money a live bill. */
function checkEnvironment({ baseUrl }: SelcomCredentials, environment: Environment): readonly string[] {
  const url = new URL(baseUrl);
  if (isLoopback(url)) return [];
  if (environment === 'live') return url.host === LIVE_HOST ? [] : [`baseUrl must be ${LIVE_URL} for an account in live.`];
  return TEST_HOST.test(url.hostname)
    ? []
    : [`baseUrl must be a test system of Selcom, such as ${TEST_URL}, for an account in the sandbox.`];
}

export const SELCOM_FIELDS = describeFields<keyof SelcomCredentialsInput>({
  apiKey: { text: 'the API key, from Selcom', absent: null },
  apiSecret: { text: 'the API secret, which signs requests, from Selcom', absent: null },
  vendor: { text: 'the vendor id (float account) that receives the money, from Selcom', absent: null },
  buyerEmail: {
    text: "an e-mail address of the merchant, sent as the buyer's: Selcom requires one, and Bili knows none of the payer",
    absent: null,
  },
  buyerName: { text: "a neutral name that is sent as the buyer's", absent: BUYER_NAME },
  // Selcom requires the number of a buyer, and the payer of an instrument is not known. No source says that Selcom never sends a text to this
  // number, so it must not be invented: it could belong to somebody.
  buyerPhone: {
    text: "a mobile number of the merchant, sent as the buyer's in orders that customers pay without a prompt: Selcom requires one, and Bili does not know who will pay. Only with it, customers can pay by a number, a QR code or Selcom's page",
    absent: 'prompts only',
  },
  payoutPin: {
    text: 'the PIN of the float account, from Selcom. Only with it, refunds are sent as payouts. Selcom must enable walletcashin, and the float account needs money',
    absent: 'no payouts',
  },
  orderMinutes: { text: 'time until the order of a prompt can no longer be paid, in minutes', absent: String(ORDER_MINUTES) },
  baseUrl: { text: `the address of the API, without a path; ${TEST_URL} for the sandbox`, absent: LIVE_URL },
});

/** Live answers refuse payouts of less. */
const MIN_PAYOUT = 1_000n * SENTI_PER_SHILLING;

/** Selcom asks clients to query a payment in progress at most every three minutes. */
const PACE_MS = 3 * MINUTE_MS;

export const SELCOM_CAPABILITIES: Capabilities = {
  // Neither limit of amounts is documented.
  ...USUAL_LIMITS,
  firstQueryMs: PACE_MS,
  unknownQueryMs: PACE_MS,
  // An assumption: Selcom does not document how long a customer can answer a prompt.
  promptMs: 5 * MINUTE_MS,
  refusesDuplicates: true,
  queriedBy: 'reference',
  repeatsAnswerMs: 0,
  signsCallbacks: false,
  indexingMs: PACE_MS,
  networks: ['vodacom', 'yas', 'airtel', 'halotel', 'ttcl'],
};

/** Orders of their own, which get no prompt: an order with a prompt could be paid twice. */
const OFFER: InstrumentOffer = {
  kind: 'order',
  ways: ['number', 'qr', 'link'],
  networks: SELCOM_CAPABILITIES.networks,
  minAmount: SELCOM_CAPABILITIES.minAmount,
  maxAmount: SELCOM_CAPABILITIES.maxAmount,
  takes: 'exact',
};

type Call = { readonly method: 'GET' | 'POST' | 'DELETE'; readonly path: string; readonly fields: Fields };

/**
 * Creates the adapter of Selcom Checkout, an aggregator. A prompt needs two calls: create-order-minimal, which reaches no customer and
 * is refused for a used order id, and wallet-payment, which sends the prompt. No source says that Selcom refuses a repeated wallet-payment.
 * So the adapter calls wallet-payment only for an order that the same `send` has created, or for which it is certain that wallet-payment
 * was not called before.
 */
export function createSelcomAdapter({ clock }: { readonly clock: Clock }): ProviderAdapter {
  async function call({ baseUrl, ...keys }: SelcomCredentials, signal: AbortSignal, { method, path, fields }: Call): Promise<RawAnswer> {
    const url = new URL(path, baseUrl);
    if (method !== 'POST') for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, String(value));
    const headers = { accept: 'application/json', ...signHeaders(fields, keys, clock()) };
    return callJson(url, { method, headers, body: method === 'POST' ? fields : undefined, signal });
  }

  /** Sends a prompt. Returns the answer to wallet-payment or, if wallet-payment was not called, the answer to create-order. */
  async function send(
    account: ProviderAccount,
    credentials: SelcomCredentials,
    prompt: PromptRequest,
    signal: AbortSignal,
  ): Promise<RawAnswer> {
    const startedAt = clock().getTime();
    const buyer = { mobile: prompt.mobile, minutes: credentials.orderMinutes };
    const fields = toOrder(account, prompt, credentials, buyer);
    const order = await call(credentials, signal, { method: 'POST', path: ORDER_PATH, fields });
    const result = readOrderAnswer(order);
    if (result === 'unclear') return withoutPrompt(order);
    // An earlier `send` may have sent the prompt for this order.
    if (result === 'exists' && prompt.neverReached !== true) return order;
    if (result === 'refused') return prompt.neverReached === true ? order : withoutDecision(order);
    // If this process was paused for long, another worker may have claimed the attempt and sent the prompt meanwhile.
    const paused = clock().getTime() - startedAt > CALL_TIMEOUT_MS;
    if (paused || signal.aborted) return notSent('interrupted after create-order: no prompt was sent');
    const { reference, mobile } = prompt;
    const payment = { transid: reference, order_id: reference, msisdn: toInternational(mobile) } satisfies PaymentRequest;
    return call(credentials, signal, { method: 'POST', path: PAYMENT_PATH, fields: payment });
  }

  const queryOrder = (account: ProviderAccount, { reference }: { readonly reference: string }, signal: AbortSignal) =>
    withCredentials(account, (credentials) =>
      call(credentials, signal, { method: 'GET', path: STATUS_PATH, fields: { order_id: reference } }),
    );

  return {
    name: 'selcom',
    capabilities: SELCOM_CAPABILITIES,
    ...accountMembers({
      callsAtOnce: 10,
      check: checkEnvironment,
      address: ({ baseUrl }) => baseUrl,
      till: ({ vendor }) => ({ name: 'vendor', value: vendor.toUpperCase(), is: 'number' }),
    }),
    send: (account, prompt, signal) => withCredentials(account, (credentials) => send(account, credentials, prompt, signal)),
    readAnswer: readPaymentAnswer,
    query: queryOrder,
    readStatus: readStatusAnswer,
    instruments: {
      offers: [OFFER],
      offeredBy(credentials) {
        const parsed = parseCredentials(credentials);
        return parsed.ok && parsed.value.buyerPhone !== undefined;
      },
      send: (account, instrument, signal) =>
        withCredentials(account, (credentials) => {
          const { buyerPhone: mobile } = credentials;
          if (mobile === undefined) return notSent('an order without a prompt needs buyerPhone');
          const fields = toOrder(account, instrument, credentials, { mobile, minutes: INSTRUMENT_MINUTES });
          return call(credentials, signal, { method: 'POST', path: ORDER_PATH, fields });
        }),
      readAnswer: (answer) => readIssueAnswer(answer, addMs(clock(), INSTRUMENT_MINUTES * MINUTE_MS - CLOSING_MS)),
      query: queryOrder,
      readStatus: readInstrumentStatus,
      cancel: {
        send: (account, { reference }, signal) =>
          withCredentials(account, (credentials) =>
            call(credentials, signal, { method: 'DELETE', path: CANCEL_PATH, fields: { order_id: reference } }),
          ),
        readAnswer: readCancelAnswer,
      },
      changeAmount: null,
    },
    payouts: {
      minAmount: MIN_PAYOUT,
      maxAmount: SELCOM_CAPABILITIES.maxAmount,
      networks: SELCOM_CAPABILITIES.networks,
      offeredBy(credentials) {
        const parsed = parseCredentials(credentials);
        return parsed.ok && parsed.value.payoutPin !== undefined;
      },
      send: (account, { reference, mobile, amount }, signal) =>
        withCredentials(account, (credentials) => {
          const { vendor, payoutPin: pin } = credentials;
          if (mobile === null || pin === undefined) return notSent('a payout needs the number of the payee and payoutPin');
          const fields = {
            transid: reference,
            utilitycode: ANY_WALLET,
            utilityref: toInternational(mobile),
            amount: Number(toWholeShillings(amount)),
            vendor,
            pin,
          } satisfies PayoutRequest;
          return call(credentials, signal, { method: 'POST', path: PAYOUT_PATH, fields });
        }),
      readAnswer: readPayoutAnswer,
      query: (account, { reference: transid }, signal) =>
        withCredentials(account, (credentials) =>
          call(credentials, signal, { method: 'GET', path: PAYOUT_STATUS_PATH, fields: { transid } }),
        ),
      readStatus: readPayoutStatus,
    },
    readCallback: (account, callback) => readSelcomCallback(account, callback, clock()),
  };
}

/** Marks an unusable or lost answer to create-order as `not_sent`: no prompt was sent, even if the order exists. */
function withoutPrompt(answer: RawAnswer): RawAnswer {
  const problem = answer.error ?? (answer.status === null ? 'no answer' : `HTTP ${answer.status}`);
  return { ...answer, lost: 'not_sent', error: `create-order: ${problem}; no prompt was sent` };
}

/**
 * Marks a refusal of create-order as unknown: the refusal may be another wording of "the order exists", and then an earlier prompt may
 * exist too.
 */
function withoutDecision(answer: RawAnswer): RawAnswer {
  const error = `create-order: refused with HTTP ${answer.status}; an earlier request may have sent the prompt`;
  return { ...answer, lost: 'unknown', error };
}

interface Buyer {
  readonly mobile: string;
  /** How long the order can be paid. */
  readonly minutes: number;
}

function toOrder(
  { callbackUrl }: ProviderAccount,
  { reference, amount }: Pick<PromptRequest, 'reference' | 'amount'>,
  credentials: SelcomCredentials,
  { mobile, minutes }: Buyer,
) {
  return {
    vendor: credentials.vendor,
    order_id: reference,
    buyer_email: credentials.buyerEmail,
    buyer_name: credentials.buyerName,
    buyer_phone: toInternational(mobile),
    amount: Number(toWholeShillings(amount)),
    currency: 'TZS',
    no_of_items: 1,
    ...(callbackUrl !== '' && { webhook: Buffer.from(callbackUrl).toString('base64') }),
    expiry: minutes,
  } satisfies OrderRequest;
}

/** The fields that a digest must cover to prove a payment. The documented list lacks the amount, and real callbacks had no signature. */
const NEEDED: readonly string[] = ['order_id', 'reference', 'payment_status', 'amount'];

/** An older callback is not believed, so that nobody can record one and send it again later. */
const MAX_AGE_MS = DAY_MS;
/** The form of a timestamp. Any other text could contain fields, because the digest covers the text `timestamp=…&name=value&…`. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

function isRecent(timestamp: string, now: Date): boolean {
  return TIMESTAMP.test(timestamp) && Math.abs(now.getTime() - Date.parse(timestamp)) <= MAX_AGE_MS;
}

/** Tells whether a name or value ends where the digest says. A value with "&" or "=" could hide other fields. */
function isClear(part: unknown): boolean {
  return !/[&=]/.test(String(part));
}

/** Interprets a callback. Its outcome counts only if a digest proves all fields of the payment; otherwise a status query decides. */
export function readSelcomCallback(account: ProviderAccount, { headers, body }: RawCallback, now: Date): ReadCallback {
  const json = parseJson(body);
  const webhook = webhookSchema.safeParse(json).data;
  const payer = parseMobile(webhook?.phone ?? webhook?.msisdn ?? '');
  const names = { reference: webhook?.order_id ?? null, payer, reply: jsonReply({}) };
  const credentials = parseCredentials(account.credentials);
  if (webhook && isRecord(json) && credentials.ok && saysPaid(webhook)) {
    // A callback may misspell `resultcode` as `resulcode`, while its digest covers the right name.
    const values: Readonly<Record<string, unknown>> = { resultcode: json.resulcode, ...json };
    const proven = provenFields(headers, values, credentials.value.apiSecret);
    const outcome = outcomeOf({ ...webhook, payment_status: webhook.payment_status ?? '' });
    const clear = isRecent(headers.timestamp ?? '', now) && proven?.every((name) => isClear(name) && isClear(values[name]));
    if (proven && clear && NEEDED.every((name) => proven.includes(name)) && outcome.kind === 'paid')
      return { ...names, verified: true, outcome };
  }
  const claimsPaid = webhook?.payment_status === 'COMPLETED' || webhook?.result === 'SUCCESS';
  return { ...names, verified: false, outcome: null, claimsPaid };
}

/** Returns whether all members of a callback say that the order is paid. */
function saysPaid({ payment_status, result, resultcode, resulcode }: Webhook): boolean {
  const codes = [resultcode, resulcode].filter((code) => code !== undefined && code !== null);
  return payment_status === 'COMPLETED' && result === 'SUCCESS' && codes.length > 0 && codes.every((code) => code === RESULT_CODES.success);
}

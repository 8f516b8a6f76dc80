import { z } from 'zod';
import { type Clock, HOUR_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { isLoopback } from '@/lib/platform/core/loopback';
import { parseMobile, toInternational } from '@/lib/platform/core/mobile';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/platform/core/money';
import type { Environment } from '@/lib/platform/core/scope';
import { credentialsReader, describeFields, originUrl, secretText, wholeNumberBetween } from '@/lib/providers/port/credentials';
import type { InstrumentRequest, Instruments } from '@/lib/providers/port/instrument';
import {
  type Capabilities,
  type ProviderAccount,
  type ProviderAdapter,
  type RawCallback,
  type ReadCallback,
  USUAL_LIMITS,
} from '@/lib/providers/port/port';
import { callJson, jsonReply, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import { INSTRUMENT_OFFERS, readCancelAnswer, readInstrumentAnswer, readInstrumentStatus } from './instrument-wire';
import {
  isSigned,
  MIN_PAYOUT,
  outcomeOf,
  PAYMENTS_PATH,
  PAYOUTS_PATH,
  type PaymentRequest,
  type PayoutRequest,
  readPaymentAnswer,
  readPayoutAnswer,
  readPayoutStatus,
  readStatusAnswer,
  SEND_PAYOUT_PATH,
  type SnippeInstrumentRequest,
  VERSION,
  type Webhook,
  webhookSchema,
} from './wire';

const BASE_URL = 'https://api.snippe.sh';
const PER_MINUTE = 60;
/** An hour less than Snippe keeps an answer. */
const REPEATS_INSTRUMENT_MS = 23 * HOUR_MS;

const name = (field: string) => z.string().regex(/^[\p{L}\p{N} .'-]{1,50}$/u, `${field} must be 1 to 50 letters, digits and spaces`);

const credentialsSchema = z.strictObject({
  apiKey: secretText('apiKey', 8, 200),
  webhookSecret: secretText('webhookSecret', 8, 200),
  payerEmail: z.email('payerEmail must be an e-mail address'),
  payerFirstName: name('payerFirstName').default('Mobile'),
  payerLastName: name('payerLastName').default('Customer'),
  payerAddress: name('payerAddress').default('Dar es Salaam'),
  payerCity: name('payerCity').default('Dar es Salaam'),
  payerPostcode: name('payerPostcode').default('14101'),
  payouts: z.boolean('payouts must be true or false').default(false),
  callsPerMinute: wholeNumberBetween('callsPerMinute', 1, 10_000).default(PER_MINUTE),
  baseUrl: originUrl('baseUrl').default(BASE_URL),
});
type SnippeCredentials = z.infer<typeof credentialsSchema>;
export type SnippeCredentialsInput = z.input<typeof credentialsSchema>;

const { parseCredentials, withCredentials, accountMembers } = credentialsReader('Snippe', credentialsSchema);

/** Returns what is wrong with the environment of the account. Snippe has no sandbox, and real money must never pay a sandbox bill. */
function checkEnvironment({ baseUrl }: SnippeCredentials, environment: Environment): readonly string[] {
  if (environment === 'live' || isLoopback(new URL(baseUrl))) return [];
  return ['Snippe has no sandbox: an account in the sandbox can only use a simulator on this machine as its baseUrl.'];
}

export const SNIPPE_FIELDS = describeFields<keyof SnippeCredentialsInput>({
  apiKey: { text: 'the API key with the scopes collection:create and collection:read, from the dashboard', absent: null },
  webhookSecret: { text: 'the signing secret of webhooks, from the dashboard', absent: null },
  payerEmail: {
    text: "an e-mail address of the merchant, sent as the payer's: Snippe requires one, and Bili knows none of the payer",
    absent: null,
  },
  payerFirstName: { text: "a neutral first name that is sent as the payer's", absent: 'Mobile' },
  payerLastName: { text: "a neutral last name that is sent as the payer's", absent: 'Customer' },
  payerAddress: {
    text: "the street of the merchant, sent as the payer's for payments by card: Snippe requires one",
    absent: 'Dar es Salaam',
  },
  payerCity: { text: "the town of the merchant, sent as the payer's for payments by card", absent: 'Dar es Salaam' },
  payerPostcode: { text: "the postcode of the merchant, sent as the payer's for payments by card", absent: '14101' },
  payouts: {
    text: 'true if refunds are sent as payouts. The API key then also needs the scopes disbursement:create and disbursement:read',
    absent: 'false',
  },
  callsPerMinute: { text: 'limit of requests per minute with this API key, over all workers', absent: String(PER_MINUTE) },
  baseUrl: { text: 'the address of the API, without a path', absent: BASE_URL },
});

export const SNIPPE_CAPABILITIES: Capabilities = {
  ...USUAL_LIMITS,
  firstQueryMs: 15 * SECOND_MS,
  unknownQueryMs: 15 * SECOND_MS,
  refusesDuplicates: true,
  queriedBy: 'providerReference',
  repeatsAnswerMs: 24 * HOUR_MS,
  signsCallbacks: true,
  indexingMs: 30 * SECOND_MS,
  networks: ['vodacom', 'yas', 'airtel', 'halotel'],
  minAmount: 500n * SENTI_PER_SHILLING,
  // No largest amount is documented.
};

interface Call {
  readonly path: string;
  readonly method?: 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: PaymentRequest | PayoutRequest | SnippeInstrumentRequest;
}

/** Creates the adapter of Snippe, an aggregator. Snippe keeps the answer of each Idempotency-Key for 24 hours. */
export function createSnippeAdapter({ clock }: { readonly clock: Clock }): ProviderAdapter {
  function call(account: ProviderAccount, signal: AbortSignal, describe: (credentials: SnippeCredentials) => Call) {
    return withCredentials(account, (credentials) => {
      const { path, method, headers, body } = describe(credentials);
      return callJson(new URL(path, credentials.baseUrl), {
        headers: { accept: 'application/json', authorization: `Bearer ${credentials.apiKey}`, 'snippe-version': VERSION, ...headers },
        body,
        signal,
        ...(method && { method }),
      });
    });
  }

  const issue: Instruments['send'] = (account, instrument, signal) =>
    call(account, signal, (credentials) => ({
      path: PAYMENTS_PATH,
      headers: { 'idempotency-key': instrument.reference },
      body: toInstrumentRequest(instrument, credentials, account.callbackUrl),
    }));

  return {
    name: 'snippe',
    capabilities: SNIPPE_CAPABILITIES,
    ...accountMembers({
      callsAtOnce: 10,
      callsPerMinute: ({ callsPerMinute }) => callsPerMinute,
      check: checkEnvironment,
      address: ({ baseUrl }) => baseUrl,
      till: ({ apiKey }) => ({ name: 'apiKey', value: apiKey, is: 'secret' }),
    }),
    send: (account, prompt, signal) =>
      call(account, signal, ({ payerFirstName, payerLastName, payerEmail }) => ({
        path: PAYMENTS_PATH,
        headers: { 'idempotency-key': prompt.reference },
        // A repeated request must have the same bytes as the first, so the body contains nothing that changes.
        body: {
          payment_type: 'mobile',
          details: { amount: Number(toWholeShillings(prompt.amount)), currency: 'TZS' },
          phone_number: toInternational(prompt.mobile),
          customer: { firstname: payerFirstName, lastname: payerLastName, email: payerEmail },
          webhook_url: account.callbackUrl,
          metadata: { reference: prompt.reference },
        },
      })),
    readAnswer: readPaymentAnswer,
    payouts: {
      minAmount: BigInt(MIN_PAYOUT) * SENTI_PER_SHILLING,
      maxAmount: SNIPPE_CAPABILITIES.maxAmount,
      networks: SNIPPE_CAPABILITIES.networks,
      offeredBy(credentials) {
        const parsed = parseCredentials(credentials);
        return parsed.ok && parsed.value.payouts;
      },
      async send(account, { reference, mobile, amount }, signal) {
        if (mobile === null) return notSent('a payout needs the number of the payee');
        return call(account, signal, ({ payerFirstName, payerLastName }) => ({
          path: SEND_PAYOUT_PATH,
          headers: { 'idempotency-key': reference },
          body: {
            amount: Number(toWholeShillings(amount)),
            channel: 'mobile',
            recipient_phone: toInternational(mobile),
            recipient_name: `${payerFirstName} ${payerLastName}`,
            narration: `Refund ${reference}`,
            webhook_url: account.callbackUrl,
            metadata: { reference },
          },
        }));
      },
      readAnswer: readPayoutAnswer,
      // Snippe finds a payout by its own id only. If the answer with the id was lost, a callback may name it.
      async query(account, { providerReference }, signal) {
        if (providerReference === null) return notSent('no status query: the id of the payout is not known');
        return call(account, signal, () => ({ path: `${PAYOUTS_PATH}/${encodeURIComponent(providerReference)}` }));
      },
      readStatus: readPayoutStatus,
    },
    query: (account, { providerReference }, signal) =>
      call(account, signal, () => ({ path: `${PAYMENTS_PATH}/${encodeURIComponent(providerReference ?? '')}` })),
    readStatus: readStatusAnswer,
    instruments: {
      offers: INSTRUMENT_OFFERS,
      offeredBy: (credentials) => parseCredentials(credentials).ok,
      send: issue,
      readAnswer: readInstrumentAnswer,
      // If the answer with the id was lost, the same request gets it again. A day later, the same request would issue another instrument.
      async query(account, instrument, signal) {
        const { providerReference, sentAt } = instrument;
        if (providerReference !== null) return call(account, signal, () => ({ path: toPath(providerReference) }));
        const repeats = sentAt != null && clock().getTime() - sentAt.getTime() < REPEATS_INSTRUMENT_MS;
        return repeats ? issue(account, instrument, signal) : notSent('no status query: the id of the payment is not known');
      },
      readStatus: readInstrumentStatus,
      cancel: {
        async send(account, { providerReference }, signal) {
          if (providerReference === null) return notSent('not cancelled: the id of the payment is not known');
          return call(account, signal, () => ({ path: toPath(providerReference), method: 'DELETE' }));
        },
        readAnswer: readCancelAnswer,
      },
      changeAmount: null,
    },
    readCallback(account, callback): ReadCallback {
      const webhook = webhookSchema.safeParse(parseJson(callback.body)).data;
      if (webhook?.type.startsWith('payout.')) return readPayoutWebhook(account, callback, webhook, clock());
      const payment = webhook?.type.startsWith('payment.') ? webhook.data : undefined;
      const names = {
        reference: payment?.metadata?.reference || null,
        providerReference: payment?.reference ?? null,
        payer: parseMobile(payment?.customer?.phone ?? ''),
        reply: jsonReply({}),
      };
      const credentials = parseCredentials(account.credentials);
      if (payment && credentials.ok && isSigned(callback, credentials.value.webhookSecret, clock()))
        return { ...names, verified: true, outcome: outcomeOf(payment) };
      return { ...names, verified: false, outcome: null, claimsPaid: payment?.status === 'completed' };
    },
  };
}

function toPath(providerReference: string): string {
  return `${PAYMENTS_PATH}/${encodeURIComponent(providerReference)}`;
}

/** Creates the request for an instrument. A repeated request must have the same bytes, so the body contains nothing that changes. */
function toInstrumentRequest(
  { kind, amount, reference, pageUrl = BASE_URL }: InstrumentRequest,
  { payerFirstName, payerLastName, payerEmail, payerAddress, payerCity, payerPostcode }: SnippeCredentials,
  callbackUrl: string,
): SnippeInstrumentRequest {
  const details = { amount: Number(toWholeShillings(amount)), currency: 'TZS', redirect_url: pageUrl, cancel_url: pageUrl } as const;
  const customer = { firstname: payerFirstName, lastname: payerLastName, email: payerEmail };
  const about = { webhook_url: callbackUrl, metadata: { reference } };
  if (kind !== 'card') return { payment_type: 'dynamic-qr', details, customer, ...about };
  const place = { address: payerAddress, city: payerCity, state: 'DSM', postcode: payerPostcode, country: 'TZ' };
  return { payment_type: 'card', details, customer: { ...customer, ...place }, ...about };
}

/** Interprets a callback about a payout. It has no outcome of a payment: it names the payout, and a status query decides. */
function readPayoutWebhook(
  account: ProviderAccount,
  callback: RawCallback,
  { type, data: { reference, metadata } }: Webhook,
  now: Date,
): ReadCallback {
  const names = { reference: metadata?.reference || null, reply: jsonReply({}) };
  const credentials = parseCredentials(account.credentials);
  if (credentials.ok && isSigned(callback, credentials.value.webhookSecret, now))
    return { ...names, providerReference: reference, verified: true, outcome: null, payoutReturned: type === 'payout.reversed' };
  return { ...names, verified: false, outcome: null, claimsPaid: false };
}

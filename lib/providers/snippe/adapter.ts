import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { parseMobile, toInternational } from '@/lib/core/mobile';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/core/money';
import { valueOrNull } from '@/lib/core/result';
import { callJson } from '@/lib/providers/port/call-json';
import { credentialsCheck, tillReader } from '@/lib/providers/port/credentials';
import type { Capabilities, ProviderAccount, ProviderAdapter, RawAnswer, ReadCallback } from '@/lib/providers/port/port';
import { jsonReply, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import { checkEnvironment, parseCredentials, type SnippeCredentials } from './credentials';
import { outcomeOf, readPaymentAnswer, readStatusAnswer } from './read';
import { isSigned } from './signature';
import { PAYMENTS_PATH, type PaymentRequest, VERSION, webhookSchema } from './wire';

const CALLS_AT_ONCE = 10;

export const SNIPPE_CAPABILITIES: Capabilities = {
  firstQueryMs: 15 * SECOND_MS,
  unknownQueryMs: 15 * SECOND_MS,
  maxQueryMs: HOUR_MS,
  retryMs: 5 * SECOND_MS,
  giveUpMs: 2 * MINUTE_MS,
  promptMs: 3 * MINUTE_MS,
  refusesDuplicates: true,
  queriedBy: 'providerReference',
  repeatsAnswerMs: 24 * HOUR_MS,
  signsCallbacks: true,
  indexingMs: 30 * SECOND_MS,
  networks: ['vodacom', 'yas', 'airtel', 'halotel'],
  minAmount: 500n * SENTI_PER_SHILLING,
  // No limit is documented. This is the highest limit of any wallet.
  maxAmount: 10_000_000n * SENTI_PER_SHILLING,
};

interface Call {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: PaymentRequest;
}

/** Creates the adapter of Snippe, an aggregator. Snippe keeps the answer of each Idempotency-Key for 24 hours. */
export function createSnippeAdapter({ clock }: { readonly clock: Clock }): ProviderAdapter {
  async function call(
    account: ProviderAccount,
    signal: AbortSignal,
    describe: (credentials: SnippeCredentials) => Call,
  ): Promise<RawAnswer> {
    const credentials = parseCredentials(account.credentials);
    if (!credentials.ok) return notSent(credentials.error.join(' '));
    const { path, headers, body } = describe(credentials.value);
    const { baseUrl, apiKey } = credentials.value;
    return callJson(new URL(path, baseUrl), {
      headers: { accept: 'application/json', authorization: `Bearer ${apiKey}`, 'snippe-version': VERSION, ...headers },
      body,
      signal,
    });
  }

  return {
    name: 'snippe',
    simulatesFailures: false,
    capabilities: SNIPPE_CAPABILITIES,
    callsAtOnce: () => CALLS_AT_ONCE,
    callsPerMinute: ({ credentials }) => valueOrNull(parseCredentials(credentials))?.callsPerMinute ?? null,
    checkCredentials: credentialsCheck(parseCredentials, checkEnvironment),
    addressOf: (credentials) => URL.parse(valueOrNull(parseCredentials(credentials))?.baseUrl ?? ''),
    tillOf: tillReader(parseCredentials, ({ apiKey }) => ({ name: 'apiKey', value: apiKey, is: 'secret' })),
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
    query: (account, { providerReference }, signal) =>
      call(account, signal, () => ({ path: `${PAYMENTS_PATH}/${encodeURIComponent(providerReference ?? '')}` })),
    readStatus: readStatusAnswer,
    readCallback(account, callback): ReadCallback {
      const webhook = webhookSchema.safeParse(parseJson(callback.body)).data;
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
    statement: null,
    reversals: null,
  };
}

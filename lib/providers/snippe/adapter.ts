import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { toInternational } from '@/lib/core/mobile';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/core/money';
import { callOnce } from '@/lib/outbound/call-once';
import type { Capabilities, ProviderAccount, ProviderAdapter, RawAnswer, ReadCallback } from '@/lib/providers/port/port';
import { notSent, parseJson, toRawAnswer } from '@/lib/providers/port/raw-answer';
import { checkEnvironment, parseCredentials, type SnippeCredentials } from './credentials';
import { outcomeOf, readPaymentAnswer, readStatusAnswer } from './read';
import { isSigned } from './signature';
import { PAYMENTS_PATH, type PaymentRequest, VERSION, webhookSchema } from './wire';

const CALL_TIMEOUT_MS = 30 * SECOND_MS;
const CALLS_AT_ONCE = 10;
const REPLY = { status: 200, body: '{}', contentType: 'application/json' };

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
  // No limit is documented. This is the highest of any wallet.
  maxAmount: 10_000_000n * SENTI_PER_SHILLING,
};

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: PaymentRequest;
}

/** Creates the adapter of Snippe, an aggregator. It keeps the answer of each Idempotency-Key for 24 hours. */
export function createSnippeAdapter({ clock }: { readonly clock: Clock }): ProviderAdapter {
  async function call(
    account: ProviderAccount,
    signal: AbortSignal,
    describe: (credentials: SnippeCredentials) => Call,
  ): Promise<RawAnswer> {
    const credentials = parseCredentials(account.credentials);
    if (!credentials.ok) return notSent(credentials.error.join(' '));
    const { method, path, headers, body } = describe(credentials.value);
    const { baseUrl, apiKey } = credentials.value;
    const answer = await callOnce(new URL(path, baseUrl).href, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${apiKey}`,
        'snippe-version': VERSION,
        ...headers,
      },
      timeoutMs: CALL_TIMEOUT_MS,
      signal,
      ...(body && { body: JSON.stringify(body) }),
    });
    return toRawAnswer(answer);
  }

  return {
    name: 'snippe',
    simulatesFailures: false,
    capabilities: SNIPPE_CAPABILITIES,
    callsAtOnce: () => CALLS_AT_ONCE,
    callsPerMinute({ credentials }) {
      const parsed = parseCredentials(credentials);
      return parsed.ok ? parsed.value.callsPerMinute : null;
    },
    checkCredentials(credentials, environment) {
      const parsed = parseCredentials(credentials);
      return parsed.ok ? checkEnvironment(parsed.value, environment) : parsed.error;
    },
    addressOf(credentials) {
      const parsed = parseCredentials(credentials);
      return parsed.ok ? new URL(parsed.value.baseUrl) : null;
    },
    shortcodeOf: () => null,
    send: (account, prompt, signal) =>
      call(account, signal, ({ payerFirstName, payerLastName, payerEmail }) => ({
        method: 'POST',
        path: PAYMENTS_PATH,
        headers: { 'idempotency-key': prompt.reference },
        // A repetition must have the same bytes, so this contains nothing that changes.
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
      call(account, signal, () => ({ method: 'GET', path: `${PAYMENTS_PATH}/${encodeURIComponent(providerReference ?? '')}` })),
    readStatus: readStatusAnswer,
    readCallback(account, callback): ReadCallback {
      const webhook = webhookSchema.safeParse(parseJson(callback.body)).data;
      const payment = webhook?.type.startsWith('payment.') ? webhook.data : undefined;
      const names = { reference: payment?.metadata?.reference || null, providerReference: payment?.reference ?? null, reply: REPLY };
      const credentials = parseCredentials(account.credentials);
      if (payment && credentials.ok && isSigned(callback, credentials.value.webhookSecret, clock()))
        return { ...names, verified: true, outcome: outcomeOf(payment) };
      return { ...names, verified: false, outcome: null, claimsPaid: payment?.status === 'completed' };
    },
    statement: null,
    reversals: null,
  };
}

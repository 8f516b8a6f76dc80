import { HOUR_MS, MINUTE_MS, type Random, SECOND_MS } from '@/lib/core/clock';
import { newPaymentReference } from '@/lib/core/ids';
import { toInternational } from '@/lib/core/mobile';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/core/money';
import { valueOrNull } from '@/lib/core/result';
import { CALL_TIMEOUT_MS, callJson } from '@/lib/providers/port/call-json';
import { credentialsCheck, tillReader } from '@/lib/providers/port/credentials';
import type { Capabilities, ProviderAccount, ProviderAdapter, RawAnswer } from '@/lib/providers/port/port';
import { jsonReply, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import { createSharedSessions, type SessionDependencies } from '@/lib/providers/port/shared-sessions';
import { endsSession } from './codes';
import { type MpesaCredentials, parseCredentials } from './credentials';
import { readPaymentAnswer, readReversalAnswer, readReversalStatus, readStatusAnswer, refusesSession, resultCode } from './read';
import { endpointOf, rememberBearers, sessionOptions } from './session';
import { MPESA_STATEMENT } from './statement';
import {
  callbackReply,
  callbackSchema,
  MARKET,
  PATHS,
  type PaymentRequest,
  type ReversalRequest,
  type StatusRequest,
  toItemsDescription,
} from './wire';

interface Call {
  readonly method?: 'PUT';
  readonly path: string;
  readonly timeoutMs?: number;
  readonly body?: PaymentRequest | ReversalRequest;
}

/** Result codes of callbacks about money that moved. "INS-0" is documented, "0" has been observed. */
const SUCCEEDED: readonly string[] = ['INS-0', '0'];
/** In synchronous mode, M-Pesa answers after the customer has answered the prompt. Vodacom's own sample code waits 180 s. */
const SYNC_TIMEOUT_MS = 195 * SECOND_MS;
/** Vodacom documents no limit of parallel calls. */
const SYNC_CALLS_AT_ONCE = 50;
const ASYNC_CALLS_AT_ONCE = 25;

export const MPESA_CAPABILITIES: Capabilities = {
  firstQueryMs: 20 * SECOND_MS,
  unknownQueryMs: 15 * SECOND_MS,
  maxQueryMs: HOUR_MS,
  retryMs: 5 * SECOND_MS,
  giveUpMs: 2 * MINUTE_MS,
  promptMs: 3 * MINUTE_MS,
  // M-Pesa refuses duplicates with INS-10. The value is false nevertheless, because with true Bili would send a request again after INS-23,
  // which means both "not found" and "status unknown". If an answer is lost, the attempt stays unknown until a status query finds the
  // payment or the merchant releases the attempt.
  refusesDuplicates: false,
  queriedBy: 'reference',
  repeatsAnswerMs: 0,
  signsCallbacks: false,
  indexingMs: MINUTE_MS,
  networks: ['vodacom'],
  minAmount: 100n * SENTI_PER_SHILLING,
  // The highest limit of any wallet. A lower limit of the customer is reported as INS-990, one of the merchant's application as INS-995.
  maxAmount: 10_000_000n * SENTI_PER_SHILLING,
};

/** Creates the adapter of Vodacom M-Pesa: OpenAPI platform, market vodacomTZN, synchronous and asynchronous mode. */
export function createMpesaAdapter({ random, ...dependencies }: SessionDependencies & { readonly random: Random }): ProviderAdapter {
  const sessions = createSharedSessions(dependencies);
  const bearerOf = rememberBearers();

  async function call(
    account: ProviderAccount,
    signal: AbortSignal,
    describe: (credentials: MpesaCredentials) => Call,
  ): Promise<RawAnswer> {
    const credentials = parseCredentials(account.credentials);
    if (!credentials.ok) return notSent(credentials.error.join(' '));
    const session = await sessions.get(account, sessionOptions(credentials.value), signal);
    if (!session.ok) return session.error;

    const { publicKey, origin } = credentials.value;
    const { path, ...request } = describe(credentials.value);
    const headers = { authorization: bearerOf(publicKey, session.value.token), origin };
    const answer = await callJson(endpointOf(credentials.value, path), { headers, signal, ...request });
    if (refusesSession(answer) || endsSession(resultCode(answer))) await session.value.drop();
    return answer;
  }

  /** @param reference our conversation id, or M-Pesa's receipt number. */
  function queryStatus(account: ProviderAccount, reference: string, signal: AbortSignal): Promise<RawAnswer> {
    return call(account, signal, ({ serviceProviderCode }) => {
      const request: StatusRequest = {
        input_QueryReference: reference,
        input_ServiceProviderCode: serviceProviderCode,
        input_ThirdPartyConversationID: newPaymentReference(random),
        input_Country: MARKET.country,
      };
      return { path: `${PATHS.status}?${new URLSearchParams(request)}` };
    });
  }

  return {
    name: 'mpesa',
    simulatesFailures: false,
    capabilities: MPESA_CAPABILITIES,
    callsAtOnce({ credentials }) {
      const parsed = valueOrNull(parseCredentials(credentials));
      return parsed?.callsAtOnce ?? (parsed?.mode === 'sync' ? SYNC_CALLS_AT_ONCE : ASYNC_CALLS_AT_ONCE);
    },
    callsPerMinute: () => null,
    checkCredentials: credentialsCheck(parseCredentials, ({ env }, environment) => {
      // Sandbox money must never pay a live bill, and real money must never pay a sandbox bill.
      const wanted = environment === 'live' ? 'openapi' : 'sandbox';
      return env === wanted ? [] : [`env must be "${wanted}" for an account in ${environment}.`];
    }),
    addressOf: (credentials) => URL.parse(valueOrNull(parseCredentials(credentials))?.baseUrl ?? ''),
    tillOf: tillReader(parseCredentials, ({ serviceProviderCode }) => ({
      name: 'shortcode',
      value: serviceProviderCode.toUpperCase(),
      is: 'number',
    })),
    send: (account, prompt, signal) =>
      call(account, signal, (credentials) => ({
        path: PATHS.payment,
        timeoutMs: paymentTimeoutMs(credentials),
        body: {
          input_Amount: toWholeShillings(prompt.amount).toString(),
          input_CustomerMSISDN: toInternational(prompt.mobile),
          input_Country: MARKET.country,
          input_Currency: MARKET.currency,
          input_ServiceProviderCode: credentials.serviceProviderCode,
          input_TransactionReference: prompt.reference,
          input_ThirdPartyConversationID: prompt.reference,
          input_PurchasedItemsDesc: toItemsDescription(prompt.description),
        },
      })),
    readAnswer: readPaymentAnswer,
    query: (account, prompt, signal) => queryStatus(account, prompt.reference, signal),
    readStatus: readStatusAnswer,
    // M-Pesa does not sign callbacks, so a status query must confirm the content of each.
    readCallback(_account, { body }) {
      const callback = callbackSchema.safeParse(parseJson(body)).data;
      return {
        reference: callback?.input_ThirdPartyConversationID || null,
        providerReference: callback?.input_OriginalConversationID || null,
        verified: false,
        outcome: null,
        claimsPaid: callback !== undefined && SUCCEEDED.includes(callback.input_ResultCode),
        reply: jsonReply(callbackReply(callback)),
      };
    },
    statement: MPESA_STATEMENT,
    reversals: {
      partial: true,
      send: (account, { reference, transactionId, amount }, signal) =>
        call(account, signal, ({ serviceProviderCode }) => ({
          method: 'PUT',
          path: PATHS.reversal,
          body: {
            input_ReversalAmount: toWholeShillings(amount).toString(),
            input_Country: MARKET.country,
            input_TransactionID: transactionId,
            input_ServiceProviderCode: serviceProviderCode,
            input_ThirdPartyConversationID: reference,
          },
        })),
      readAnswer: readReversalAnswer,
      query: (account, { transactionId }, signal) => queryStatus(account, transactionId, signal),
      readStatus: readReversalStatus,
    },
  };
}

function paymentTimeoutMs({ mode }: MpesaCredentials): number {
  return mode === 'sync' ? SYNC_TIMEOUT_MS : CALL_TIMEOUT_MS;
}

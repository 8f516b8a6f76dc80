import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/core/money';
import { valueOrNull } from '@/lib/core/result';
import { credentialsCheck, tillReader } from '@/lib/providers/port/credentials';
import type { Capabilities, ProviderAdapter, RawCallback, ReadCallback } from '@/lib/providers/port/port';
import { jsonReply, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import { createAirtelClient } from './client';
import { checkEnvironment, parseCredentials } from './credentials';
import { readPushAnswer, readRefundAnswer, readRefundStatus, readStatusAnswer, unlessAboutAnother } from './read';
import { COUNTRY, CURRENCY, callbackSchema, ENQUIRY_PATH, paymentPath, refundPath, toReferenceText } from './wire';

const CALLS_AT_ONCE = 20;

export const AIRTEL_CAPABILITIES: Capabilities = {
  // Airtel asks for three minutes between a payment request and its first status query. An earlier query may get "not found".
  firstQueryMs: 3 * MINUTE_MS,
  unknownQueryMs: 3 * MINUTE_MS,
  maxQueryMs: HOUR_MS,
  retryMs: 5 * SECOND_MS,
  giveUpMs: 2 * MINUTE_MS,
  promptMs: 3 * MINUTE_MS,
  refusesDuplicates: true,
  queriedBy: 'reference',
  repeatsAnswerMs: 0,
  signsCallbacks: false,
  indexingMs: 5 * MINUTE_MS,
  networks: ['airtel'],
  // Neither limit is documented. `maxAmount` is the highest limit of any wallet.
  minAmount: 100n * SENTI_PER_SHILLING,
  maxAmount: 10_000_000n * SENTI_PER_SHILLING,
};

/** Creates the adapter of Airtel Money Tanzania: the Airtel Africa Open API. */
export function createAirtelAdapter(dependencies: Parameters<typeof createAirtelClient>[0]): ProviderAdapter {
  const call = createAirtelClient(dependencies);
  return {
    name: 'airtel',
    simulatesFailures: false,
    capabilities: AIRTEL_CAPABILITIES,
    callsAtOnce: () => CALLS_AT_ONCE,
    callsPerMinute: () => null,
    checkCredentials: credentialsCheck(parseCredentials, checkEnvironment),
    addressOf: (credentials) => URL.parse(valueOrNull(parseCredentials(credentials))?.baseUrl ?? ''),
    tillOf: tillReader(parseCredentials, ({ clientId }) => ({ name: 'clientId', value: clientId, is: 'application' })),
    send: (account, { reference, mobile, amount, description }, signal) =>
      call(account, signal, ({ version }) => ({
        path: paymentPath(version),
        body: {
          reference: toReferenceText(description),
          // Nine digits: Airtel does not find numbers with 255 or 0.
          subscriber: { country: COUNTRY, currency: CURRENCY, msisdn: mobile.slice(1) },
          transaction: { amount: Number(toWholeShillings(amount)), country: COUNTRY, currency: CURRENCY, id: reference },
        },
      })),
    readAnswer: readPushAnswer,
    query: (account, { reference }, signal) => call(account, signal, () => ({ path: `${ENQUIRY_PATH}/${reference}` })),
    readStatus: readStatusAnswer,
    readCallback: (_account, callback) => readCallback(callback),
    statement: null,
    reversals: {
      partial: false,
      send: (account, { transactionId }, signal) =>
        call(account, signal, ({ version }) => ({ path: refundPath(version), body: { transaction: { airtel_money_id: transactionId } } })),
      readAnswer: readRefundAnswer,
      async query(account, { promptReference }, signal) {
        if (promptReference === null) return notSent('Airtel finds only payments that belong to an attempt');
        return unlessAboutAnother(await call(account, signal, () => ({ path: `${ENQUIRY_PATH}/${promptReference}` })), promptReference);
      },
      readStatus: readRefundStatus,
    },
  };
}

/** Sources contradict each other about the key and the text of a callback's hash. So each callback only triggers a status query. */
function readCallback({ body }: RawCallback): ReadCallback {
  const transaction = callbackSchema.safeParse(parseJson(body)).data?.transaction;
  const claimsPaid = transaction?.status_code?.trim().toUpperCase() === 'TS';
  return { reference: transaction?.id ?? null, verified: false, outcome: null, claimsPaid, reply: jsonReply({}) };
}

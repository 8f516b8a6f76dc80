import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { toInternational } from '@/lib/core/mobile';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/core/money';
import { valueOrNull } from '@/lib/core/result';
import { callOnce } from '@/lib/outbound/call-once';
import { CALL_TIMEOUT_MS, callJson } from '@/lib/providers/port/call-json';
import { credentialsCheck, tillReader } from '@/lib/providers/port/credentials';
import type { Capabilities, ProviderAccount, ProviderAdapter, RawAnswer } from '@/lib/providers/port/port';
import { notSent, toRawAnswer } from '@/lib/providers/port/raw-answer';
import { createSharedSessions, type SessionDependencies } from '@/lib/providers/port/shared-sessions';
import { writeFlatXml } from '@/lib/providers/port/xml';
import { readCallback } from './callback';
import { checkAccount, type MixxCredentials, parseCredentials } from './credentials';
import { endsToken, readPushAnswer, readRefundAnswer, readRefundStatus, readStatusAnswer, refusesToken } from './read';
import { openSession } from './token';
import { COMMAND, type PushRequest, type RefundRequest, STATUS_TYPE } from './wire';

const CALLS_AT_ONCE = 10;

export const MIXX_CAPABILITIES: Capabilities = {
  firstQueryMs: MINUTE_MS,
  unknownQueryMs: MINUTE_MS,
  maxQueryMs: HOUR_MS,
  retryMs: 5 * SECOND_MS,
  giveUpMs: 2 * MINUTE_MS,
  promptMs: 3 * MINUTE_MS,
  // Yas refuses a reference that was used before. The value is false nevertheless, because with true Bili would send the request again if a
  // status query says "not found". No code of the status query proves that Yas does not have the first request.
  refusesDuplicates: false,
  queriedBy: 'reference',
  repeatsAnswerMs: 0,
  signsCallbacks: false,
  indexingMs: MINUTE_MS,
  networks: ['yas'],
  // The limits differ by biller, and a refusal names them. `maxAmount` is the highest limit of any wallet.
  minAmount: 100n * SENTI_PER_SHILLING,
  maxAmount: 10_000_000n * SENTI_PER_SHILLING,
};

/** Creates the adapter of Mixx by Yas, whose prompts go directly to the network. */
export function createMixxAdapter(dependencies: SessionDependencies): ProviderAdapter {
  const sessions = createSharedSessions(dependencies);

  /**
   * Sends JSON with a token. If Yas refuses the token, it has done nothing else, and the same JSON is sent once more with a new token.
   * @param describe returns the request, or a text that says why the account is not set up for the request.
   */
  async function post(
    account: ProviderAccount,
    signal: AbortSignal,
    describe: (credentials: MixxCredentials) => { readonly url: string; readonly body: PushRequest | RefundRequest } | string,
  ): Promise<RawAnswer> {
    const first = await postWithToken(account, signal, describe);
    return refusesToken(first) ? postWithToken(account, signal, describe) : first;
  }

  async function postWithToken(...[account, signal, describe]: Parameters<typeof post>): Promise<RawAnswer> {
    const credentials = parseCredentials(account.credentials);
    if (!credentials.ok) return notSent(credentials.error.join(' '));
    const request = describe(credentials.value);
    if (typeof request === 'string') return notSent(request);
    const session = await sessions.get(account, { open: (stop) => openSession(credentials.value, stop) }, signal);
    if (!session.ok) return session.error;
    const { username, password, certificates } = credentials.value;
    const answer = await callJson(request.url, {
      headers: { 'cache-control': 'no-cache', authorization: `bearer ${session.value.token}`, username, password },
      body: request.body,
      signal,
      ca: certificates,
    });
    if (endsToken(answer)) await session.value.drop();
    return answer;
  }

  return {
    name: 'mixx',
    simulatesFailures: false,
    capabilities: MIXX_CAPABILITIES,
    callsAtOnce: () => CALLS_AT_ONCE,
    callsPerMinute: ({ credentials }) => valueOrNull(parseCredentials(credentials))?.callsPerMinute ?? null,
    checkCredentials: credentialsCheck(parseCredentials, checkAccount),
    addressOf: (credentials) => URL.parse(valueOrNull(parseCredentials(credentials))?.pushUrl ?? ''),
    tillOf: tillReader(parseCredentials, ({ billerMsisdn }) => ({ name: 'shortcode', value: billerMsisdn, is: 'number' })),
    send: (account, prompt, signal) =>
      post(account, signal, ({ pushUrl, billerMsisdn, billerCode }) => ({
        url: pushUrl,
        body: {
          CustomerMSISDN: toInternational(prompt.mobile),
          BillerMSISDN: billerMsisdn,
          Amount: Number(toWholeShillings(prompt.amount)),
          ReferenceID: `${billerCode}${prompt.reference}`,
        },
      })),
    readAnswer: readPushAnswer,
    query: (account, { reference }, signal) => queryStatus(account, reference, signal),
    readStatus: readStatusAnswer,
    readCallback,
    statement: null,
    reversals: {
      partial: false,
      send: (account, { reference, transactionId, promptReference, mobile, amount }, signal) =>
        post(account, signal, ({ refundUrl, refundMsisdn, refundPin, billerCode }) => {
          if (refundUrl === undefined || refundMsisdn === undefined || refundPin === undefined) return 'the account has no refundUrl';
          if (promptReference === null || mobile === null) return 'only a payment with a payment request can be refunded';
          return {
            url: refundUrl,
            body: {
              CustomerMSISDN: toInternational(mobile),
              ChannelMSISDN: refundMsisdn,
              ChannelPIN: refundPin,
              Amount: Number(toWholeShillings(amount)),
              MFSTransactionID: transactionId,
              ReferenceID: `${billerCode}${reference}`,
              PurchaseReferenceID: `${billerCode}${promptReference}`,
            },
          };
        }),
      readAnswer: readRefundAnswer,
      query: (account, { promptReference }, signal) => queryStatus(account, promptReference ?? '', signal),
      readStatus: (answer, { promptReference }) => readRefundStatus(answer, promptReference),
    },
  };
}

/** Asks for the state of a payment, in XML and without a token. @param reference our reference. */
async function queryStatus(account: ProviderAccount, reference: string, signal: AbortSignal): Promise<RawAnswer> {
  const credentials = parseCredentials(account.credentials);
  if (!credentials.ok) return notSent(credentials.error.join(' '));
  const { statusUrl, statusPin, billerMsisdn, billerCode, certificates } = credentials.value;
  const answer = await callOnce(statusUrl, {
    headers: { 'content-type': 'text/xml' },
    body: writeFlatXml(COMMAND, {
      TYPE: STATUS_TYPE,
      REFERENCEID: reference,
      MSISDN: billerMsisdn,
      PIN: statusPin,
      EXTERNALREFID: `${billerCode}${reference}`,
    }),
    timeoutMs: CALL_TIMEOUT_MS,
    signal,
    ca: certificates,
  });
  return toRawAnswer(answer);
}

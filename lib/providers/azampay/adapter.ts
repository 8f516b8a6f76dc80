import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { toInternational } from '@/lib/core/mobile';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/core/money';
import { valueOrNull } from '@/lib/core/result';
import { callJson } from '@/lib/providers/port/call-json';
import { credentialsCheck, tillReader } from '@/lib/providers/port/credentials';
import type { Capabilities, ProviderAccount, ProviderAdapter, RawAnswer } from '@/lib/providers/port/port';
import { jsonReply, notSent } from '@/lib/providers/port/raw-answer';
import { createSharedSessions, type SessionDependencies } from '@/lib/providers/port/shared-sessions';
import { type AzampayCredentials, checkEnvironment, operatorsOf, parseCredentials, providerOf } from './credentials';
import { createOperatorSearch } from './operators';
import { readNotice, readPushAnswer, refusesToken } from './read';
import { readStatusAnswer } from './read-status';
import { addressAt, headersOf, openSession } from './token';
import { type PushRequest, STATUS_PATH } from './wire';

const CALLS_AT_ONCE = 20;

export const AZAMPAY_CAPABILITIES: Capabilities = {
  firstQueryMs: 30 * SECOND_MS,
  unknownQueryMs: MINUTE_MS,
  maxQueryMs: HOUR_MS,
  retryMs: 5 * SECOND_MS,
  giveUpMs: 2 * MINUTE_MS,
  promptMs: 3 * MINUTE_MS,
  // AzamPay does not say whether it refuses duplicates, so a second request may send a second prompt.
  refusesDuplicates: false,
  queriedBy: 'providerReference',
  repeatsAnswerMs: 0,
  signsCallbacks: false,
  indexingMs: MINUTE_MS,
  networks: ['vodacom', 'yas', 'airtel', 'halotel'],
  // No minimum is documented.
  minAmount: 100n * SENTI_PER_SHILLING,
  maxAmount: 5_000_000n * SENTI_PER_SHILLING,
};

interface Call {
  /** The path with the query string. */
  readonly path: string;
  readonly body?: PushRequest;
}

/** Creates the adapter of AzamPay, an aggregator. */
export function createAzampayAdapter(dependencies: SessionDependencies): ProviderAdapter {
  const sessions = createSharedSessions(dependencies);
  const search = createOperatorSearch();

  async function call(
    account: ProviderAccount,
    credentials: AzampayCredentials,
    { path, body }: Call,
    signal: AbortSignal,
  ): Promise<RawAnswer> {
    const session = await sessions.get(account, { open: (stop) => openSession(credentials, dependencies.clock, stop) }, signal);
    if (!session.ok) return session.error;
    const headers = { ...headersOf(credentials), authorization: `Bearer ${session.value.token}` };
    const answer = await callJson(addressAt(credentials.checkoutUrl, path), { headers, body, signal });
    if (answer.status === 401) await session.value.drop();
    return answer;
  }

  /** Queries the status of a payment. A refused token is renewed once. */
  async function ask(account: ProviderAccount, credentials: AzampayCredentials, query: URLSearchParams, signal: AbortSignal) {
    const request = { path: `${STATUS_PATH}?${query}` };
    const answer = await call(account, credentials, request, signal);
    return answer.status === 401 ? call(account, credentials, request, signal) : answer;
  }

  return {
    name: 'azampay',
    simulatesFailures: false,
    capabilities: AZAMPAY_CAPABILITIES,
    callsAtOnce: () => CALLS_AT_ONCE,
    callsPerMinute: () => null,
    checkCredentials: credentialsCheck(parseCredentials, checkEnvironment),
    addressOf: (credentials) => URL.parse(valueOrNull(parseCredentials(credentials))?.checkoutUrl ?? ''),
    tillOf: tillReader(parseCredentials, ({ clientId }) => ({ name: 'clientId', value: clientId, is: 'application' })),
    async send(account, prompt, signal) {
      const credentials = parseCredentials(account.credentials);
      if (!credentials.ok) return notSent(credentials.error.join(' '));
      const { checkoutPath: path, amountAs } = credentials.value;
      const amount = toWholeShillings(prompt.amount);
      const body = {
        accountNumber: toInternational(prompt.mobile),
        amount: amountAs === 'number' ? Number(amount) : amount.toString(),
        currency: 'TZS',
        externalId: prompt.reference,
        provider: providerOf(credentials.value, prompt.network),
      } as const;
      const answer = await call(account, credentials.value, { path, body }, signal);
      return refusesToken(answer) ? call(account, credentials.value, { path, body }, signal) : answer;
    },
    readAnswer: readPushAnswer,
    async query(account, prompt, signal) {
      const { providerReference, network } = prompt;
      const credentials = parseCredentials(account.credentials);
      if (!credentials.ok) return notSent(credentials.error.join(' '));
      if (providerReference === null) return notSent('AzamPay finds a payment by its own id only, and none is known');
      const answer = await search({
        key: `${account.id} ${network}`,
        words: operatorsOf(credentials.value, network),
        prompt,
        ask: (operator) => ask(account, credentials.value, new URLSearchParams({ pgReferenceId: providerReference, operator }), signal),
      });
      return answer ?? notSent(`no operator is known for the network ${network}`);
    },
    readStatus: readStatusAnswer,
    readCallback: (_account, callback) => ({ ...readNotice(callback), reply: jsonReply({}), verified: false, outcome: null }),
    statement: null,
    reversals: null,
  };
}

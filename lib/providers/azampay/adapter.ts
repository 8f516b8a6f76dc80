import { type Clock, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { toInternational } from '@/lib/platform/core/mobile';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import {
  type Capabilities,
  type PromptRequest,
  type ProviderAccount,
  type ProviderAdapter,
  type RawAnswer,
  type Refund,
  USUAL_LIMITS,
} from '@/lib/providers/port/port';
import { callJson, credentialsRefused, jsonReply, noToken, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import { createSharedSessions, OPEN_TIMEOUT_MS, type OpenedSession, type SessionDependencies } from '@/lib/providers/port/sessions';
import {
  type AzampayCredentials,
  accountMembers,
  bankOf,
  checkEnvironment,
  operatorsOf,
  parseCredentials,
  providerOf,
  withCredentials,
} from './credentials';
import { checksumOf, DISBURSE_PATH, type DisburseRequest, PAYOUT_STATUS_PATH, readPayoutAnswer, readPayoutStatus } from './payout-wire';
import {
  namesCause,
  type PushRequest,
  readNotice,
  readPushAnswer,
  readStatusAnswer,
  refusesToken,
  STATUS_PATH,
  TOKEN_PATH,
  tokenSchema,
} from './wire';

export const AZAMPAY_CAPABILITIES: Capabilities = {
  ...USUAL_LIMITS,
  firstQueryMs: 30 * SECOND_MS,
  unknownQueryMs: MINUTE_MS,
  // AzamPay does not say whether it refuses duplicates, so a second request may send a second prompt.
  refusesDuplicates: false,
  queriedBy: 'providerReference',
  repeatsAnswerMs: 0,
  signsCallbacks: false,
  indexingMs: MINUTE_MS,
  networks: ['vodacom', 'yas', 'airtel', 'halotel'],
  // No smallest amount is documented.
  maxAmount: 5_000_000n * SENTI_PER_SHILLING,
};

interface Call {
  /** The path with the query string. */
  readonly path: string;
  readonly body?: PushRequest | (DisburseRequest & { readonly checksum: string });
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

  /** Calls the host of payouts with a new token: payouts are rare, and their app may be another one. */
  async function callPayouts(credentials: AzampayCredentials, { path, body }: Call, signal: AbortSignal): Promise<RawAnswer> {
    const opened = await openSession({ ...credentials, ...credentials.payouts?.app }, dependencies.clock, signal);
    if (!opened.ok) return opened.error;
    const headers = { ...headersOf(credentials), authorization: `Bearer ${opened.value.token}` };
    return callJson(addressAt(credentials.payoutUrl, path), { headers, body, signal });
  }

  return {
    name: 'azampay',
    capabilities: AZAMPAY_CAPABILITIES,
    ...accountMembers({
      callsAtOnce: 20,
      check: checkEnvironment,
      address: ({ checkoutUrl }) => checkoutUrl,
      till: ({ clientId }) => ({ name: 'clientId', value: clientId, is: 'application' }),
    }),
    send: (account, prompt, signal) =>
      withCredentials(account, async (credentials) => {
        const { checkoutPath: path, amountAs } = credentials;
        const amount = toWholeShillings(prompt.amount);
        const body = {
          accountNumber: toInternational(prompt.mobile),
          amount: amountAs === 'number' ? Number(amount) : amount.toString(),
          currency: 'TZS',
          externalId: prompt.reference,
          provider: providerOf(credentials, prompt.network),
        } as const;
        const answer = await call(account, credentials, { path, body }, signal);
        return refusesToken(answer) ? call(account, credentials, { path, body }, signal) : answer;
      }),
    readAnswer: readPushAnswer,
    query: (account, prompt, signal) =>
      withCredentials(account, async (credentials) => {
        const { providerReference, network } = prompt;
        if (providerReference === null) return notSent('AzamPay finds a payment by its own id only, and none is known');
        const answer = await search({
          key: `${account.id} ${network}`,
          words: operatorsOf(credentials, network),
          prompt,
          ask: (operator) => ask(account, credentials, new URLSearchParams({ pgReferenceId: providerReference, operator }), signal),
        });
        return answer ?? notSent(`no operator is known for the network ${network}`);
      }),
    readStatus: readStatusAnswer,
    readCallback: (_account, callback) => ({ ...readNotice(callback), reply: jsonReply({}), verified: false, outcome: null }),
    payouts: {
      // No limits of payouts are documented.
      minAmount: USUAL_LIMITS.minAmount,
      maxAmount: USUAL_LIMITS.maxAmount,
      networks: AZAMPAY_CAPABILITIES.networks,
      offeredBy(text) {
        const credentials = parseCredentials(text);
        return credentials.ok && credentials.value.payouts !== undefined;
      },
      send: (account, refund, signal) =>
        withCredentials(account, (credentials) => {
          const body = disbursementOf(credentials, refund, dependencies.clock());
          return body
            ? callPayouts(credentials, { path: DISBURSE_PATH, body }, signal)
            : notSent('the account or the customer has no payouts');
        }),
      readAnswer: readPayoutAnswer,
      query: (account, { providerReference, network }, signal) =>
        withCredentials(account, (credentials) => {
          const bankName = bankOf(credentials, network);
          if (providerReference === null) return notSent('AzamPay finds a payout by its own id only, and none is known');
          if (bankName === undefined) return notSent(`AzamPay has no payouts to the network ${network}`);
          const query = new URLSearchParams({ pgReferenceId: providerReference, bankName });
          return callPayouts(credentials, { path: `${PAYOUT_STATUS_PATH}?${query}` }, signal);
        }),
      readStatus: readPayoutStatus,
    },
  };
}

/** Returns the request for a payout; undefined if the account or the customer lacks what it needs. */
function disbursementOf(credentials: AzampayCredentials, { reference, mobile, network, amount }: Refund, now: Date) {
  const { payouts } = credentials;
  const bankName = bankOf(credentials, network);
  if (!payouts || bankName === undefined || mobile === null) return undefined;
  const tanzanian = { countryCode: 'TZ', currency: 'TZS' } as const;
  const dateInEpoch = Math.floor(now.getTime() / SECOND_MS);
  const request: DisburseRequest = {
    source: { ...tanzanian, fullName: payouts.name, bankName: payouts.bank, accountNumber: payouts.account },
    destination: { ...tanzanian, fullName: payouts.payeeName, bankName, accountNumber: toInternational(mobile) },
    transferDetails: { type: 'FUND', amount: Number(toWholeShillings(amount)), dateInEpoch },
    externalReferenceId: reference,
  };
  return { ...request, checksum: checksumOf(request, payouts.key) };
}

/** A token is valid for about an hour. This lifetime applies if AzamPay's answer names no end of the token, or a later end. */
const TOKEN_MAX_MS = 55 * MINUTE_MS;

/** Returns the address of a path. A simulator serves each host below a path of its own. */
function addressAt(base: string, path: string): string {
  return `${base.replace(/\/$/, '')}${path}`;
}

/** Returns the headers of every call. The official plugin sends the key also in the call for a token. */
function headersOf({ apiKey }: AzampayCredentials): Record<string, string> {
  return { accept: 'application/json', ...(apiKey !== undefined && { 'x-api-key': apiKey }) };
}

/** Asks for a token. */
async function openSession(credentials: AzampayCredentials, clock: Clock, signal: AbortSignal): Promise<Result<OpenedSession, RawAnswer>> {
  const { authUrl, appName, clientId, clientSecret } = credentials;
  const answer = await callJson(addressAt(authUrl, TOKEN_PATH), {
    headers: headersOf(credentials),
    body: { appName, clientId, clientSecret },
    timeoutMs: OPEN_TIMEOUT_MS,
    signal,
  });
  // HTTP 423 means wrong details or an expired secret. After any other refusal, the next request for a token may succeed.
  if (answer.lost === null && answer.status === 423) return fail(credentialsRefused(answer));
  const opened = tokenSchema.safeParse(parseJson(answer.body)).data;
  if (answer.lost || answer.status !== 200 || !opened || opened.success === false) return fail(noToken(answer));
  const { accessToken, expire, expireAt } = opened.data;
  const leftMs = Date.parse(expire ?? expireAt ?? '') - clock().getTime();
  return ok({ token: accessToken, lifeMs: leftMs > 0 && leftMs < TOKEN_MAX_MS ? leftMs : TOKEN_MAX_MS });
}

interface Search {
  /** The provider account and the network. */
  readonly key: string;
  /** The values of the parameter `operator` to try, in this order. */
  readonly words: readonly string[];
  readonly prompt: PromptRequest;
  readonly ask: (operator: string) => Promise<RawAnswer>;
}

/**
 * Creates a search for a payment. It tries the possible values of AzamPay's parameter `operator`, the name of the mobile network. AzamPay
 * does not document its answer to a wrong name: the answer may say that the payment failed, was reversed or is pending. So after such an answer the
 * search tries the next name, unless the name is in `proven` or is the only one. A failure is final if the name is in `proven`, is the only
 * one, or has found a payment before. A failure with a cause that only the network knows is final, too. Any other failure decides nothing.
 * The search returns null if there are no names.
 */
function createOperatorSearch(): (search: Search) => Promise<RawAnswer | null> {
  /** The name with which a payment was last reported as paid, by key. It is tried first, and a failure under it is final. */
  const proven = new Map<string, string>();
  /** The names that have found a payment. Each element is the key of a search, a space and the name. */
  const finders = new Set<string>();

  return async ({ key, words, prompt, ask }) => {
    const first = words.filter((word) => word === proven.get(key));
    let best: RawAnswer | null = null;
    let bestRank = -1;
    for (const operator of new Set([...first, ...words])) {
      const finder = `${key} ${operator}`;
      const answer = await ask(operator);
      const { kind } = readStatusAnswer(answer, prompt);
      if (answer.lost || answer.status === 401 || answer.status === 429) return answer;
      if (kind === 'paid') proven.set(key, operator);
      const isDecided = kind === 'failed' || kind === 'expired' || kind === 'reversed';
      const hasCause = isDecided && namesCause(answer);
      if (kind === 'paid' || kind === 'pending' || hasCause) finders.add(finder);
      const isCertain = words.length === 1 || operator === proven.get(key);
      if (kind === 'paid' || hasCause || (isCertain && (kind === 'pending' || isDecided))) return answer;
      const isGuess = isDecided && !finders.has(finder);
      const rank = rankOf(kind, { isGuess, isServerError: (answer.status ?? 0) >= 500 });
      if (rank > bestRank) [best, bestRank] = [isGuess ? asUnknown(answer, operator) : answer, rank];
    }
    return best;
  };
}

/** Returns how informative an answer is. A pending payment ranks above a failure: after "pending" Bili waits, a failure would be final. */
function rankOf(kind: string, { isGuess, isServerError }: { readonly isGuess: boolean; readonly isServerError: boolean }): number {
  if (kind === 'pending') return 4;
  if (kind === 'failed' || kind === 'expired' || kind === 'reversed') return isGuess ? 2 : 3;
  return isServerError ? 0 : 1;
}

/** Marks a failure as an answer that decides nothing. The text of `error` is stored with the answer. */
function asUnknown(answer: RawAnswer, operator: string): RawAnswer {
  return {
    ...answer,
    lost: 'unknown',
    error: `a failure under the operator "${operator}", which has not found a payment yet, is not final`,
  };
}

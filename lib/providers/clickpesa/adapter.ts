import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { isRecord } from '@/lib/core/is-record';
import { type Mobile, parseMobile, toInternational } from '@/lib/core/mobile';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/core/money';
import { fail, ok, type Result, valueOrNull } from '@/lib/core/result';
import { callJson } from '@/lib/providers/port/call-json';
import { credentialsCheck, tillReader } from '@/lib/providers/port/credentials';
import { OPEN_TIMEOUT_MS, type OpenedSession } from '@/lib/providers/port/find-session';
import type { Capabilities, ProviderAccount, ProviderAdapter, RawAnswer, RawCallback, ReadCallback } from '@/lib/providers/port/port';
import { credentialsRefused, jsonReply, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import { createSharedSessions, type SessionDependencies } from '@/lib/providers/port/shared-sessions';
import { checksumOf, fits } from './checksum';
import { type ClickpesaCredentials, checkEnvironment, parseCredentials } from './credentials';
import { outcomeOf, readPushAnswer, readStatusAnswer, refusesClient, refusesToken } from './read';
import { type ClickpesaPayment, PAYMENTS_PATH, PUSH_PATH, type PushRequest, TOKEN_PATH, tokenSchema, webhookSchema } from './wire';

const CALLS_AT_ONCE = 20;
/** Two SDKs put the checksum of a webhook into a header, and not into the body. */
const CHECKSUM_HEADERS = ['x-clickpesa-checksum', 'x-clickpesa-signature'];

/** For each event name in a callback: the states of the payment that agree with this event. */
const AGREEING: Readonly<Record<string, readonly string[]>> = {
  'PAYMENT RECEIVED': ['SUCCESS', 'SETTLED'],
  'PAYMENT FAILED': ['FAILED'],
};

export const CLICKPESA_CAPABILITIES: Capabilities = {
  firstQueryMs: 15 * SECOND_MS,
  unknownQueryMs: 15 * SECOND_MS,
  maxQueryMs: HOUR_MS,
  retryMs: 5 * SECOND_MS,
  giveUpMs: 2 * MINUTE_MS,
  promptMs: 3 * MINUTE_MS,
  refusesDuplicates: true,
  queriedBy: 'reference',
  repeatsAnswerMs: 0,
  signsCallbacks: true,
  indexingMs: MINUTE_MS,
  networks: ['vodacom', 'yas', 'airtel', 'halotel'],
  // Neither limit is documented. `maxAmount` is the highest limit of any wallet.
  minAmount: 100n * SENTI_PER_SHILLING,
  maxAmount: 10_000_000n * SENTI_PER_SHILLING,
};

interface Call {
  readonly path: string;
  readonly body?: PushRequest;
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

  async function callWithToken(...[account, signal, describe]: Parameters<typeof call>): Promise<RawAnswer> {
    const credentials = parseCredentials(account.credentials);
    if (!credentials.ok) return notSent(credentials.error.join(' '));
    const session = await sessions.get(account, { open: (stop) => openSession(credentials.value, stop) }, signal);
    if (!session.ok) return session.error;
    const { path, body } = describe(credentials.value);
    const headers = { accept: 'application/json', authorization: session.value.token };
    const answer = await callJson(new URL(path, credentials.value.baseUrl), { headers, body, signal });
    if (refusesToken(answer)) await session.value.drop();
    return answer;
  }

  return {
    name: 'clickpesa',
    simulatesFailures: false,
    capabilities: CLICKPESA_CAPABILITIES,
    callsAtOnce: () => CALLS_AT_ONCE,
    callsPerMinute: ({ credentials }) => valueOrNull(parseCredentials(credentials))?.callsPerMinute ?? null,
    checkCredentials: credentialsCheck(parseCredentials, checkEnvironment),
    addressOf: (credentials) => URL.parse(valueOrNull(parseCredentials(credentials))?.baseUrl ?? ''),
    tillOf: tillReader(parseCredentials, ({ clientId }) => ({ name: 'clientId', value: clientId, is: 'application' })),
    send: (account, prompt, signal) =>
      call(account, signal, ({ checksumKey, checksumScheme }) => {
        const body = {
          amount: toWholeShillings(prompt.amount).toString(),
          currency: 'TZS',
          orderReference: prompt.reference,
          phoneNumber: toInternational(prompt.mobile),
        } as const;
        const checksum = checksumKey === undefined ? {} : { checksum: checksumOf(body, checksumKey, checksumScheme) };
        return { path: PUSH_PATH, body: { ...body, ...checksum } };
      }),
    readAnswer: readPushAnswer,
    query: (account, { reference }, signal) => call(account, signal, () => ({ path: `${PAYMENTS_PATH}/${reference}` })),
    readStatus: readStatusAnswer,
    readCallback: readWebhook,
    statement: null,
    reversals: null,
  };
}

function readWebhook(account: ProviderAccount, callback: RawCallback): ReadCallback {
  const json = parseJson(callback.body);
  const webhook = webhookSchema.safeParse(json).data;
  const event = webhook?.event ?? webhook?.eventType ?? '';
  const payment = event.startsWith('PAYMENT ') ? webhook?.data : undefined;
  const names = {
    reference: payment?.orderReference || null,
    providerReference: payment?.id ?? null,
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

async function openSession(
  { baseUrl, clientId, apiKey }: ClickpesaCredentials,
  signal: AbortSignal,
): Promise<Result<OpenedSession, RawAnswer>> {
  const answer = await callJson(new URL(TOKEN_PATH, baseUrl), {
    method: 'POST',
    headers: { accept: 'application/json', 'client-id': clientId, 'api-key': apiKey },
    timeoutMs: OPEN_TIMEOUT_MS,
    signal,
  });
  if (refusesClient(answer)) return fail(credentialsRefused(answer));
  const opened = tokenSchema.safeParse(parseJson(answer.body)).data;
  if (answer.lost || !opened) return fail(notSent(`no token: ${answer.error ?? `HTTP ${answer.status}`}`));
  // A token is valid for an hour.
  return ok({ token: opened.token, lifeMs: HOUR_MS });
}

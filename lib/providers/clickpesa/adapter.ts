import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { isRecord } from '@/lib/core/is-record';
import { toInternational } from '@/lib/core/mobile';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import { callOnce } from '@/lib/outbound/call-once';
import type { OpenedSession, SessionOptions } from '@/lib/providers/port/find-session';
import type { Capabilities, ProviderAccount, ProviderAdapter, RawAnswer, RawCallback, ReadCallback } from '@/lib/providers/port/port';
import { notSent, parseJson, toRawAnswer } from '@/lib/providers/port/raw-answer';
import type { SessionStore } from '@/lib/providers/port/session-port';
import { createSharedSessions } from '@/lib/providers/port/shared-sessions';
import { checksumOf, fits } from './checksum';
import { type ClickpesaCredentials, checkEnvironment, parseCredentials } from './credentials';
import { outcomeOf, readPushAnswer, readStatusAnswer, refusesToken } from './read';
import { PAYMENTS_PATH, PUSH_PATH, type PushRequest, TOKEN_PATH, tokenSchema, webhookSchema } from './wire';

const CALL_TIMEOUT_MS = 30 * SECOND_MS;
const TOKEN_TIMEOUT_MS = 15 * SECOND_MS;
const CALLS_AT_ONCE = 20;
const REPLY = { status: 200, body: '{}', contentType: 'application/json' };
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json' };
/** Two SDKs put the checksum of a webhook into a header, and not into the body. */
const CHECKSUM_HEADERS = ['x-clickpesa-checksum', 'x-clickpesa-signature'];

/** The states that a webhook about an event may report. */
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
  // Neither limit is documented. The upper one is the highest of any wallet.
  minAmount: 100n * SENTI_PER_SHILLING,
  maxAmount: 10_000_000n * SENTI_PER_SHILLING,
};

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: PushRequest;
}

/** Creates the adapter of ClickPesa, an aggregator. @param sessions the tokens, shared by all workers. */
export function createClickpesaAdapter({
  clock,
  sessions: store,
}: {
  readonly clock: Clock;
  readonly sessions: SessionStore;
}): ProviderAdapter {
  const sessions = createSharedSessions(store, clock);

  async function call(
    account: ProviderAccount,
    signal: AbortSignal,
    describe: (credentials: ClickpesaCredentials) => Call,
  ): Promise<RawAnswer> {
    const credentials = parseCredentials(account.credentials);
    if (!credentials.ok) return notSent(credentials.error.join(' '));
    const session = await sessions.get(account, tokenOptions(credentials.value), signal);
    if (!session.ok) return session.error;
    const { method, path, body } = describe(credentials.value);
    const answer = toRawAnswer(
      await callOnce(new URL(path, credentials.value.baseUrl).href, {
        method,
        headers: { ...JSON_HEADERS, authorization: session.value.token },
        timeoutMs: CALL_TIMEOUT_MS,
        signal,
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    if (refusesToken(answer)) await session.value.drop();
    return answer;
  }

  return {
    name: 'clickpesa',
    simulatesFailures: false,
    capabilities: CLICKPESA_CAPABILITIES,
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
      call(account, signal, ({ checksumKey, checksumScheme }) => {
        const body = {
          amount: toWholeShillings(prompt.amount).toString(),
          currency: 'TZS',
          orderReference: prompt.reference,
          phoneNumber: toInternational(prompt.mobile),
        } as const;
        const checksum = checksumKey === undefined ? {} : { checksum: checksumOf(body, checksumKey, checksumScheme) };
        return { method: 'POST', path: PUSH_PATH, body: { ...body, ...checksum } };
      }),
    readAnswer: readPushAnswer,
    query: (account, { reference }, signal) => call(account, signal, () => ({ method: 'GET', path: `${PAYMENTS_PATH}/${reference}` })),
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
  const names = { reference: payment?.orderReference || null, providerReference: payment?.id ?? null, reply: REPLY };
  const credentials = parseCredentials(account.credentials);
  if (payment && credentials.ok && isRecord(json)) {
    const { checksumKey, checksumScheme, clientId } = credentials.value;
    const given = webhook?.checksum ?? CHECKSUM_HEADERS.map((name) => callback.headers[name]).find((value) => value !== undefined);
    const ours = (payment.clientId ?? clientId) === clientId;
    // A legacy checksum does not cover the members of `data`. A message that contradicts itself proves nothing either.
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

function tokenOptions(credentials: ClickpesaCredentials): SessionOptions {
  return { open: (signal) => openSession(credentials, signal), timeoutMs: TOKEN_TIMEOUT_MS, warmupMs: 0 };
}

async function openSession(
  { baseUrl, clientId, apiKey }: ClickpesaCredentials,
  signal: AbortSignal,
): Promise<Result<OpenedSession, RawAnswer>> {
  const answer = await callOnce(new URL(TOKEN_PATH, baseUrl).href, {
    method: 'POST',
    headers: { ...JSON_HEADERS, 'client-id': clientId, 'api-key': apiKey },
    timeoutMs: TOKEN_TIMEOUT_MS,
    signal,
  });
  const opened = tokenSchema.safeParse(parseJson(answer.body)).data;
  if (answer.error || !opened) return fail(notSent(`no token: ${answer.error?.detail ?? `HTTP ${answer.status}`}`));
  // A token is valid for an hour.
  return ok({ token: opened.token, lifeMs: HOUR_MS });
}

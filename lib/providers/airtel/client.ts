import { DAY_MS, type Random, SECOND_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import { callJson } from '@/lib/providers/port/call-json';
import { OPEN_TIMEOUT_MS, type OpenedSession } from '@/lib/providers/port/find-session';
import type { ProviderAccount, RawAnswer } from '@/lib/providers/port/port';
import { notSent, parseJson } from '@/lib/providers/port/raw-answer';
import { createSharedSessions, type SessionDependencies } from '@/lib/providers/port/shared-sessions';
import { type AirtelCredentials, parseCredentials } from './credentials';
import { createEncryptionKeys } from './encryption-keys';
import { parseAnswer, refusesClient, refusesToken } from './parse-answer';
import { signMessage } from './signing';
import { COUNTRY, CURRENCY, KEYS_PATH, type PaymentRequest, type RefundRequest, TOKEN_PATH, tokenSchema } from './wire';

/** The documented lifetime of a token. It applies if the answer contains no readable lifetime. */
const TOKEN_SECONDS = 180;
const SIGNATURE_MISMATCH = 'DP00800001026';

interface Call {
  readonly path: string;
  /** Absent in a GET request. */
  readonly body?: PaymentRequest | RefundRequest;
}

/** Creates the function that calls the API with a token, and signs the messages of v2. It never throws. */
export function createAirtelClient({ random, ...dependencies }: SessionDependencies & { readonly random: Random }) {
  const sessions = createSharedSessions(dependencies);
  const keys = createEncryptionKeys(dependencies.clock);

  async function callWithToken(
    account: ProviderAccount,
    credentials: AirtelCredentials,
    { path, body }: Call,
    signal: AbortSignal,
  ): Promise<{ readonly answer: RawAnswer; readonly mayRepeat: boolean }> {
    const session = await sessions.get(account, { open: (stop) => openSession(credentials, stop) }, signal);
    if (!session.ok) return { answer: session.error, mayRepeat: false };
    const { token, drop } = session.value;

    const exchange = async (to: string, content?: Call['body'], signature: Readonly<Record<string, string>> = {}): Promise<RawAnswer> => {
      const headers = { accept: '*/*', authorization: `Bearer ${token}`, 'x-country': COUNTRY, 'x-currency': CURRENCY, ...signature };
      const answer = await callJson(new URL(to, credentials.baseUrl), { headers, body: content, signal });
      if (answer.lost === null && answer.status === 401) await drop();
      return answer;
    };

    if (!body) {
      const answer = await exchange(path);
      return { answer, mayRepeat: answer.lost === null && answer.status === 401 };
    }
    if (credentials.version === 'v1') {
      const answer = await exchange(path, body);
      return { answer, mayRepeat: refusesToken(answer) };
    }
    const key = await keys.find(account, () => exchange(KEYS_PATH));
    if (!key.ok) return { answer: key.error, mayRepeat: refusesToken(key.error) };
    // The signed text must equal the text that `callJson` sends, so both use `JSON.stringify`.
    const answer = await exchange(path, body, signMessage(JSON.stringify(body), key.value, random));
    if (parseAnswer(answer)?.codes.includes(SIGNATURE_MISMATCH)) keys.forget(account);
    return { answer, mayRepeat: refusesToken(answer) };
  }

  /** Makes a call. If Airtel refuses the token, the request had no effect, and the call is made once more with a new token. */
  return async (account: ProviderAccount, signal: AbortSignal, describe: (credentials: AirtelCredentials) => Call): Promise<RawAnswer> => {
    const credentials = parseCredentials(account.credentials);
    if (!credentials.ok) return notSent(credentials.error.join(' '));
    const call = describe(credentials.value);
    const first = await callWithToken(account, credentials.value, call, signal);
    return first.mayRepeat ? (await callWithToken(account, credentials.value, call, signal)).answer : first.answer;
  };
}

async function openSession(
  { baseUrl, clientId, clientSecret }: AirtelCredentials,
  signal: AbortSignal,
): Promise<Result<OpenedSession, RawAnswer>> {
  const answer = await callJson(new URL(TOKEN_PATH, baseUrl), {
    headers: { accept: '*/*' },
    body: { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' },
    timeoutMs: OPEN_TIMEOUT_MS,
    signal,
  });
  const opened = answer.lost === null && answer.status === 200 ? tokenSchema.safeParse(parseJson(answer.body)).data : undefined;
  if (opened) return ok({ token: opened.access_token, lifeMs: lifeOf(opened.expires_in) });
  // This answer says that the credentials are wrong. After any other answer, the next request for a token may succeed.
  if (answer.lost === null && refusesClient(answer)) return fail(answer);
  return fail(notSent(`no token: ${answer.error ?? `HTTP ${answer.status}`}`));
}

function lifeOf(expiresIn: string | number | null | undefined): number {
  const seconds = Number(expiresIn);
  return Math.min((seconds >= 1 ? seconds : TOKEN_SECONDS) * SECOND_MS, DAY_MS);
}

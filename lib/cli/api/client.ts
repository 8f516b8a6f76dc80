import { z } from 'zod';
import { UserError } from '@/lib/cli/terminal/output';
import { ExpectedError } from '@/lib/platform/config/expected-error';
import { SECOND_MS } from '@/lib/platform/core/clock';
import type { PaymentScenario } from '@/lib/providers/scenarios/scenarios';

const TIMEOUT_MS = 15 * SECOND_MS;
const CONNECTION = 'BILI_URL, BILI_KEY_ID and BILI_SECRET (or --url, --key-id and --secret-file)';

/** The API did not answer, or cannot answer now. The same request may succeed later. */
export class ApiUnavailable extends ExpectedError {}

interface ApiReply {
  readonly text: string;
  /** The code of the error; null for a success. */
  readonly code: string | null;
}

/** Calls the API of a sandbox with one key. It needs no database, so it works from any machine. */
export interface ApiClient {
  /** Returns the answer, even if it is an error whose code is in `expected`. Throws a UserError for other errors. */
  call(path: string, options?: CallOptions): Promise<ApiReply>;
  readonly secret: string;
}

interface CallOptions {
  /** The JSON body. A call with a body is a POST request, any other call is a GET request. */
  readonly body?: object;
  readonly idempotencyKey?: string;
  /** What the simulated customer does with the payment request. Only for the sandbox. */
  readonly scenario?: PaymentScenario;
  readonly expected?: readonly string[];
}

const errorSchema = z.object({ error: z.string() });

interface Connection {
  readonly url: string;
  readonly keyId: string | undefined;
  readonly secret: string | undefined;
}

/** Throws a UserError if the key is missing or belongs to live. */
export function apiClient({ url, keyId, secret }: Connection): ApiClient {
  if (!keyId || !secret) throw new UserError(`The key of a sandbox is missing: set ${CONNECTION}.`);
  if (keyId.startsWith('bili_live_')) throw new UserError('This command works with the sandbox only, but the key belongs to live.');
  const base = url.replace(/(\/api\/v3)?\/*$/, '');
  return {
    secret,
    async call(path, { body, idempotencyKey, scenario, expected = [] } = {}) {
      const headers = {
        authorization: `ApiKey ${keyId}:${secret}`,
        'user-agent': 'bili-cli',
        ...(body && { 'content-type': 'application/json' }),
        ...(scenario !== undefined && { 'bili-sandbox-scenario': scenario }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      };
      const init = { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
      const { status, code, text } = await send(
        `${base}/api/v3/${path}`,
        body ? { ...init, method: 'POST', body: JSON.stringify(body) } : init,
      );
      if (status === 200) return { text, code: null };
      if (code !== null && expected.includes(code)) return { text, code };
      if (status === 429 || status >= 500) throw new ApiUnavailable(`Bili answered ${status}`);
      const hint = status === 401 ? ' The key must be one of the sandbox, and BILI_URL or --url the address of the sandbox.' : '';
      throw new UserError(`Bili refused the request with ${status}: ${messageOf(text)}.${hint}`);
    },
  };
}

async function send(url: string, init: RequestInit): Promise<{ status: number; code: string | null; text: string }> {
  try {
    const answer = await fetch(url, init);
    return { status: answer.status, code: answer.headers.get('bili-error'), text: await answer.text() };
  } catch (error) {
    throw new ApiUnavailable(`${new URL(url).origin} does not answer (${reasonOf(error)}). Check BILI_URL or --url`);
  }
}

/** Returns why a call of `fetch` failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  const { cause } = error;
  return cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : error.message;
}

function messageOf(text: string): string {
  try {
    return errorSchema.parse(JSON.parse(text)).error;
  } catch {
    return `this is not the API of Bili. Check the address: ${CONNECTION}`;
  }
}

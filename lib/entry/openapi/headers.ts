import type { DescribedRoute } from '@/lib/entry/http/api';
import { ERRORS } from '@/lib/entry/http/errors';
import type { FailureCode } from '@/lib/platform/core/failure';
import { SCENARIO_NAMES } from '@/lib/providers/scenarios/scenarios';
import type { ApiResponse, Header, Parameter } from './types';

/** The headers of answers, by name. */
export const HEADERS = {
  'X-Request-Id': {
    description: "The id of the request: yours, or one that Bili made. Give it to Bili's operator when you ask about a request.",
    required: true,
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The rate limit of the key: `q` requests in `w` seconds.',
    schema: { type: 'string', examples: ['"second";q=250;w=5'] },
  },
  RateLimit: {
    description: '`r` requests are left now, and all are available again in `t` seconds.',
    schema: { type: 'string', examples: ['"second";r=249;t=1'] },
  },
  'Retry-After': { description: 'Seconds to wait before the next request.', schema: { type: 'integer', minimum: 0 } },
  'Bili-Ignored': {
    description:
      'The names of query parameters and of members of the body that were ignored: unknown ones, and optional members with an invalid value.',
    schema: { type: 'string', examples: ['phone, currency'] },
  },
  'Idempotency-Replayed': {
    description: 'An earlier request with the same `Idempotency-Key` did the work.',
    schema: { type: 'string', const: 'true' },
  },
  Link: {
    description: 'The address at which this installation explains the error.',
    required: true,
    schema: { type: 'string', examples: ['<https://pay.example.com/docs/errors#amount_required>; rel="help"'] },
  },
  Location: { description: 'The path of the earlier bill.', schema: { type: 'string' } },
  'WWW-Authenticate': {
    description: 'The scheme of the `Authorization` header.',
    required: true,
    schema: { type: 'string', const: 'ApiKey' },
  },
} as const satisfies Readonly<Record<string, Header>>;
type HeaderName = keyof typeof HEADERS;

export const REQUEST_ID: Parameter = {
  name: 'X-Request-Id',
  in: 'header',
  description:
    'Your own id for this request: 8 to 100 letters, digits, `.`, `_` or `-`. Bili repeats it in the answer. Ignored if it is malformed.',
  schema: { type: 'string', minLength: 8, maxLength: 100, pattern: '^[A-Za-z0-9_.-]{8,100}$' },
};

/** The request header with which a caller chooses what happens in the sandbox. Live ignores it. */
export const SANDBOX_SCENARIO: Parameter = {
  name: 'Bili-Sandbox-Scenario',
  in: 'header',
  description:
    'Only in the sandbox: what happens to the payment requests of the bill, whatever the number is, or how the API refuses this request. Live ignores it.',
  schema: { type: 'string', enum: [...SCENARIO_NAMES] },
};

/** The request headers that every operation accepts. */
export const COMMON_HEADERS: readonly Parameter[] = [REQUEST_ID, SANDBOX_SCENARIO];

/** By failure code: the header that answers with this code have in addition to the headers of all errors. */
const OF_CODES: Readonly<Partial<Record<FailureCode, HeaderName>>> = {
  credentials_invalid: 'WWW-Authenticate',
  reference_used: 'Location',
  too_many_prompts: 'Retry-After',
  too_many_requests: 'Retry-After',
  unavailable: 'Retry-After',
};
/** Statuses of failures that Bili finds before it knows the key. Their answers have no headers about the rate limit of the key. */
const BEFORE_KEY: ReadonlySet<number> = new Set([401, 421]);

type Headers = NonNullable<ApiResponse['headers']>;

function references(names: readonly HeaderName[]): Headers {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const RATE: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit'];

/** Returns the headers of a route's answer with status 200. */
export function successHeaders({ docs }: DescribedRoute): Headers {
  return references(['X-Request-Id', ...RATE, 'Bili-Ignored', ...(docs.replays ? (['Idempotency-Replayed'] as const) : [])]);
}

/** Returns the headers of the answers with one status. @param codes the failure codes with this status */
export function errorHeaders(status: number, codes: readonly FailureCode[]): Headers {
  const own = codes.flatMap((code) => OF_CODES[code] ?? []);
  const code: Header = {
    description: `The code of the error. ${codes.map((one) => `\`${one}\`: ${ERRORS[one].message.replace('{}', '…')}.`).join(' ')}`,
    required: true,
    schema: { type: 'string', enum: [...codes] },
  };
  return {
    'Bili-Error': code,
    ...references([
      'Link',
      'X-Request-Id',
      ...(BEFORE_KEY.has(status) ? [] : RATE),
      // Some operations refuse a body with a text that is missing like one with a wrong text.
      ...(status === 400 || status === 401 ? (['Bili-Ignored'] as const) : []),
      ...own,
    ]),
  };
}

import { z } from 'zod';
import { isLoopback } from '@/lib/core/loopback';
import type { Environment } from '@/lib/core/scope';
import { credentialsReader, describeFields, originUrl, secretText, wholeNumberBetween } from '@/lib/providers/port/credentials';
import { readPublicKey } from './signature';

const LIVE_URL = 'https://api.pawapay.io';
const SANDBOX_URL = 'https://api.sandbox.pawapay.io';
const PER_MINUTE = 600;

const credentialsSchema = z.strictObject({
  apiToken: secretText('apiToken', 8, 4_000),
  callbackPublicKey: z
    .string('callbackPublicKey must be a text')
    .max(1_000, 'callbackPublicKey may have at most 1000 characters')
    .refine((text) => readPublicKey(text) !== null, 'callbackPublicKey must be a public key for the curve P-256, as PEM or base64')
    .optional(),
  callsPerMinute: wholeNumberBetween('callsPerMinute', 1, 10_000).default(PER_MINUTE),
  baseUrl: originUrl('baseUrl').default(LIVE_URL),
});
type PawapayCredentials = z.infer<typeof credentialsSchema>;
export type PawapayCredentialsInput = z.input<typeof credentialsSchema>;

export const parseCredentials = credentialsReader('pawaPay', credentialsSchema);

/** Returns what is wrong with the environment of the account: real money must never pay a sandbox bill, nor sandbox money a live bill. */
export function checkEnvironment({ baseUrl }: PawapayCredentials, environment: Environment): readonly string[] {
  const url = new URL(baseUrl);
  if (isLoopback(url)) return [];
  const wanted = environment === 'live' ? LIVE_URL : SANDBOX_URL;
  return url.origin === wanted ? [] : [`baseUrl must be ${wanted} for an account in ${environment === 'live' ? 'live' : 'the sandbox'}.`];
}

export const PAWAPAY_FIELDS = describeFields<keyof PawapayCredentialsInput>({
  apiToken: { text: 'the API token, from the dashboard. Live and sandbox have one each', absent: null },
  callbackPublicKey: {
    text: 'the public key that verifies callbacks, from `GET /v2/public-key/http`, if signed callbacks are switched on. Without it, a status query confirms each callback',
    absent: 'callbacks are not verified',
  },
  callsPerMinute: { text: 'limit of requests per minute, over all workers. pawaPay documents none', absent: String(PER_MINUTE) },
  baseUrl: { text: `the address of the API, without a path; ${SANDBOX_URL} for the sandbox`, absent: LIVE_URL },
});

import { z } from 'zod';
import { isLoopback } from '@/lib/core/loopback';
import type { Environment } from '@/lib/core/scope';
import { credentialsReader, describeFields, originUrl, secretText, wholeNumberBetween } from '@/lib/providers/port/credentials';
import { CHECKSUM_SCHEMES } from './checksum';

const LIVE_HOST = 'api.clickpesa.com';
const LIVE_URL = `https://${LIVE_HOST}`;
const SANDBOX_HOST = 'api-sandbox.clickpesa.com';
const PER_MINUTE = 120;

const credentialsSchema = z.strictObject({
  clientId: secretText('clientId', 4, 200),
  apiKey: secretText('apiKey', 4, 500),
  checksumKey: secretText('checksumKey', 4, 500).optional(),
  checksumScheme: z.enum(CHECKSUM_SCHEMES, 'checksumScheme must be "canonical" or "legacy"').default('canonical'),
  callsPerMinute: wholeNumberBetween('callsPerMinute', 1, 10_000).default(PER_MINUTE),
  baseUrl: originUrl('baseUrl').default(LIVE_URL),
});
export type ClickpesaCredentials = z.infer<typeof credentialsSchema>;
export type ClickpesaCredentialsInput = z.input<typeof credentialsSchema>;

export const parseCredentials = credentialsReader('ClickPesa', credentialsSchema);

/** Returns what is wrong with the environment of the account: real money must never pay a sandbox bill, nor sandbox money a live bill. */
export function checkEnvironment({ baseUrl }: ClickpesaCredentials, environment: Environment): readonly string[] {
  const url = new URL(baseUrl);
  if (isLoopback(url)) return [];
  if (environment === 'live') return url.hostname === LIVE_HOST ? [] : [`baseUrl must be ${LIVE_URL} for an account in live.`];
  const isSandbox = url.hostname !== LIVE_HOST && url.hostname.endsWith('.clickpesa.com');
  return isSandbox ? [] : [`baseUrl must be a sandbox of ClickPesa, such as https://${SANDBOX_HOST}, for an account in the sandbox.`];
}

export const CLICKPESA_FIELDS = describeFields<keyof ClickpesaCredentialsInput>({
  clientId: { text: "the application's client id, from the dashboard", absent: null },
  apiKey: { text: "the application's API key, which the dashboard shows once", absent: null },
  checksumKey: {
    text: "the application's checksum key. Without it, requests have no checksum, and a status query confirms each webhook",
    absent: 'no checksums',
  },
  checksumScheme: {
    text: '"canonical", or "legacy" for an application that still uses the scheme of early 2025: a status query then confirms each webhook',
    absent: 'canonical',
  },
  callsPerMinute: { text: 'limit of requests per minute, over all workers', absent: String(PER_MINUTE) },
  baseUrl: { text: `the address of the API, without a path; https://${SANDBOX_HOST} for the sandbox`, absent: LIVE_URL },
});

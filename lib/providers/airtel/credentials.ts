import { z } from 'zod';
import { isLoopback } from '@/lib/core/loopback';
import type { Environment } from '@/lib/core/scope';
import { credentialsReader, describeFields, originUrl, secretText } from '@/lib/providers/port/credentials';
import { VERSIONS } from './wire';

/** The hosts of each environment: the host for Tanzania, then the older host for all countries. */
const HOSTS: Readonly<Record<Environment, readonly [string, string]>> = {
  live: ['openapi.airtel.co.tz', 'openapi.airtel.africa'],
  sandbox: ['openapiuat.airtel.co.tz', 'openapiuat.airtel.africa'],
};
const LIVE_URL = `https://${HOSTS.live[0]}`;
const SANDBOX_URL = `https://${HOSTS.sandbox[0]}`;

const credentialsSchema = z.strictObject({
  clientId: secretText('clientId', 4, 200),
  clientSecret: secretText('clientSecret', 4, 500),
  version: z.enum(VERSIONS, 'version must be "v1" or "v2"').default('v1'),
  baseUrl: originUrl('baseUrl').default(LIVE_URL),
});
export type AirtelCredentials = z.infer<typeof credentialsSchema>;
export type AirtelCredentialsInput = z.input<typeof credentialsSchema>;

export const parseCredentials = credentialsReader('Airtel Money', credentialsSchema);

/** Returns what is wrong with the environment of the account: real money must never pay a sandbox bill, nor sandbox money a live bill. */
export function checkEnvironment({ baseUrl }: AirtelCredentials, environment: Environment): readonly string[] {
  const url = new URL(baseUrl);
  if (isLoopback(url) || HOSTS[environment].includes(url.hostname)) return [];
  const [own, old] = HOSTS[environment];
  const place = environment === 'live' ? 'live' : 'the sandbox';
  return [`baseUrl must be https://${own} or https://${old} for an account in ${place}.`];
}

export const AIRTEL_FIELDS = describeFields<keyof AirtelCredentialsInput>({
  clientId: { text: "the application's client id, from the portal", absent: null },
  clientSecret: { text: "the application's client secret, from the portal", absent: null },
  version: {
    text: '"v1", or "v2" if the portal requires message signing for the application: requests are then signed with a key that Airtel gives out',
    absent: 'v1',
  },
  baseUrl: { text: `the address of the API, without a path; ${SANDBOX_URL} for the sandbox`, absent: LIVE_URL },
});

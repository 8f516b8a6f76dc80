import { z } from 'zod';
import { isLoopback } from '@/lib/core/loopback';
import type { Environment } from '@/lib/core/scope';
import { credentialsReader, describeFields, originUrl, secretText, wholeNumberBetween } from '@/lib/providers/port/credentials';

const BASE_URL = 'https://api.snippe.sh';
const PER_MINUTE = 60;

const name = (field: string) => z.string().regex(/^[\p{L}\p{N} .'-]{1,50}$/u, `${field} must be 1 to 50 letters, digits and spaces`);

const credentialsSchema = z.strictObject({
  apiKey: secretText('apiKey', 8, 200),
  webhookSecret: secretText('webhookSecret', 8, 200),
  payerEmail: z.email('payerEmail must be an e-mail address'),
  payerFirstName: name('payerFirstName').default('Mobile'),
  payerLastName: name('payerLastName').default('Customer'),
  callsPerMinute: wholeNumberBetween('callsPerMinute', 1, 10_000).default(PER_MINUTE),
  baseUrl: originUrl('baseUrl').default(BASE_URL),
});
export type SnippeCredentials = z.infer<typeof credentialsSchema>;
export type SnippeCredentialsInput = z.input<typeof credentialsSchema>;

export const parseCredentials = credentialsReader('Snippe', credentialsSchema);

/** Returns what is wrong with the environment of the account. Snippe has no sandbox, and real money must never pay a sandbox bill. */
export function checkEnvironment({ baseUrl }: SnippeCredentials, environment: Environment): readonly string[] {
  if (environment === 'live' || isLoopback(new URL(baseUrl))) return [];
  return ['Snippe has no sandbox: an account in the sandbox can only use a simulator on this machine as its baseUrl.'];
}

export const SNIPPE_FIELDS = describeFields<keyof SnippeCredentialsInput>({
  apiKey: { text: 'the API key with the scopes collection:create and collection:read, from the dashboard', absent: null },
  webhookSecret: { text: 'the signing secret of webhooks, from the dashboard', absent: null },
  payerEmail: {
    text: "an e-mail address of the merchant, sent as the payer's: Snippe requires one, and Bili knows none of the payer",
    absent: null,
  },
  payerFirstName: { text: "a neutral first name that is sent as the payer's", absent: 'Mobile' },
  payerLastName: { text: "a neutral last name that is sent as the payer's", absent: 'Customer' },
  callsPerMinute: { text: 'limit of requests per minute with this API key, over all workers', absent: String(PER_MINUTE) },
  baseUrl: { text: 'the address of the API, without a path', absent: BASE_URL },
});

import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { isLoopback } from '@/lib/core/loopback';
import type { Environment } from '@/lib/core/scope';
import { credentialsReader, describeFields, pathUrl, secretText, wholeNumberBetween } from '@/lib/providers/port/credentials';

const PER_MINUTE = 300;
const CALLBACK_REPLIES = ['classic', 'request_to_pay'] as const;

const mobile = (name: string) =>
  z.string(`${name} is missing`).regex(/^255[67]\d{8}$/, `${name} must be a number such as 255712345678, without spaces`);

const credentialsSchema = z.strictObject({
  username: secretText('username', 1, 200),
  password: secretText('password', 1, 200),
  billerMsisdn: mobile('billerMsisdn'),
  billerCode: z.string('billerCode is missing').regex(/^[A-Za-z0-9]{1,20}$/, 'billerCode must be 1 to 20 letters and digits'),
  tokenUrl: pathUrl('tokenUrl'),
  pushUrl: pathUrl('pushUrl'),
  statusUrl: pathUrl('statusUrl'),
  statusPin: secretText('statusPin', 1, 20),
  refundUrl: pathUrl('refundUrl').optional(),
  refundMsisdn: mobile('refundMsisdn').optional(),
  refundPin: secretText('refundPin', 1, 20).optional(),
  callbackReply: z.enum(CALLBACK_REPLIES, 'callbackReply must be "classic" or "request_to_pay"').default('classic'),
  certificates: z
    .string('certificates must be a text')
    .max(20_000, 'certificates may have at most 20000 characters')
    .refine(areCertificates, 'certificates must be certificates in PEM form')
    .optional(),
  callsPerMinute: wholeNumberBetween('callsPerMinute', 1, 10_000).default(PER_MINUTE),
});
export type MixxCredentials = z.infer<typeof credentialsSchema>;
export type MixxCredentialsInput = z.input<typeof credentialsSchema>;

export const parseCredentials = credentialsReader('Mixx by Yas', credentialsSchema);

function areCertificates(text: string): boolean {
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return certificates.every((one) => new X509Certificate(one)) && certificates.length > 0;
  } catch {
    return false;
  }
}

/**
 * Returns what is wrong with the account: real money must never pay a sandbox bill, nor sandbox money a live bill. The host names
 * of test systems contain "test".
 */
export function checkAccount(credentials: MixxCredentials, environment: Environment): readonly string[] {
  const { tokenUrl, pushUrl, statusUrl, refundUrl, refundMsisdn, refundPin } = credentials;
  const problems: string[] = [];
  for (const [name, text] of Object.entries({ tokenUrl, pushUrl, statusUrl, refundUrl })) {
    const url = text === undefined ? null : new URL(text);
    if (url === null || isLoopback(url)) continue;
    const isTest = url.hostname.includes('test');
    if (environment === 'live' && isTest) problems.push(`${name} is an address for tests, and the account is in live.`);
    if (environment === 'sandbox' && !isTest) problems.push(`${name} must be an address for tests for an account in the sandbox.`);
  }
  const refunds = [refundUrl, refundMsisdn, refundPin].filter((one) => one !== undefined).length;
  if (refunds > 0 && refunds < 3) problems.push('refundUrl, refundMsisdn and refundPin are needed together.');
  return problems;
}

export const MIXX_FIELDS = describeFields<keyof MixxCredentialsInput>({
  username: { text: 'the user name for tokens and prompts, from Yas', absent: null },
  password: { text: 'its password', absent: null },
  billerMsisdn: { text: 'the number of the biller: 255712345678', absent: null },
  billerCode: { text: 'the biller code, with which every reference begins', absent: null },
  tokenUrl: { text: 'the address for tokens', absent: null },
  pushUrl: { text: 'the address for prompts', absent: null },
  statusUrl: { text: 'the address of the status query (TQS). Without it no payment can be confirmed', absent: null },
  statusPin: { text: 'the PIN for the status query', absent: null },
  refundUrl: { text: 'the address for refunds', absent: 'no refunds' },
  refundMsisdn: { text: 'the number of the channel for refunds', absent: 'no refunds' },
  refundPin: { text: 'the PIN of the channel for refunds', absent: 'no refunds' },
  callbackReply: {
    text: 'the form of replies to callbacks: "classic", or "request_to_pay" if Yas asks for the newer one',
    absent: 'classic',
  },
  certificates: {
    text: 'the certificates of Yas (PEM), if its servers do not use a public certificate authority',
    absent: 'public certificate authorities',
  },
  callsPerMinute: { text: 'limit of requests per minute, over all workers. No limit is documented', absent: String(PER_MINUTE) },
});

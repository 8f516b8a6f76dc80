import { z } from 'zod';
import { isLoopback } from '@/lib/core/loopback';
import type { Environment } from '@/lib/core/scope';
import { credentialsReader, describeFields, originUrl, secretText, wholeNumberBetween } from '@/lib/providers/port/credentials';

const LIVE_HOST = 'apigw.selcommobile.com';
const LIVE_URL = `https://${LIVE_HOST}`;
const TEST_URL = 'https://apigwtest.selcommobile.com';
/** The host of a test system of Selcom. */
const TEST_HOST = /^[a-z0-9-]*(?:test|sandbox|uat)[a-z0-9-]*\.selcommobile\.com$/;
const BUYER_NAME = 'Mobile Customer';
const ORDER_MINUTES = 60;

const credentialsSchema = z.strictObject({
  apiKey: secretText('apiKey', 4, 500),
  apiSecret: secretText('apiSecret', 4, 500),
  vendor: secretText('vendor', 1, 100),
  buyerEmail: z.email('buyerEmail must be an e-mail address'),
  buyerName: z
    .string()
    .regex(/^[\p{L}\p{N} .'-]{1,50}$/u, 'buyerName must be 1 to 50 letters, digits and spaces')
    .default(BUYER_NAME),
  orderMinutes: wholeNumberBetween('orderMinutes', 10, 1_440).default(ORDER_MINUTES),
  baseUrl: originUrl('baseUrl').default(LIVE_URL),
});
export type SelcomCredentials = z.infer<typeof credentialsSchema>;
export type SelcomCredentialsInput = z.input<typeof credentialsSchema>;

export const parseCredentials = credentialsReader('Selcom', credentialsSchema);

/** Returns what is wrong with the environment of the account: real money must never pay a sandbox bill, nor sandbox money a live bill. */
export function checkEnvironment({ baseUrl }: SelcomCredentials, environment: Environment): readonly string[] {
  const url = new URL(baseUrl);
  if (isLoopback(url)) return [];
  if (environment === 'live') return url.host === LIVE_HOST ? [] : [`baseUrl must be ${LIVE_URL} for an account in live.`];
  return TEST_HOST.test(url.hostname)
    ? []
    : [`baseUrl must be a test system of Selcom, such as ${TEST_URL}, for an account in the sandbox.`];
}

export const SELCOM_FIELDS = describeFields<keyof SelcomCredentialsInput>({
  apiKey: { text: 'the API key, from Selcom', absent: null },
  apiSecret: { text: 'the API secret, which signs requests, from Selcom', absent: null },
  vendor: { text: 'the vendor id (float account) that receives the money, from Selcom', absent: null },
  buyerEmail: {
    text: "an e-mail address of the merchant, sent as the buyer's: Selcom requires one, and Bili knows none of the payer",
    absent: null,
  },
  buyerName: { text: "a neutral name that is sent as the buyer's", absent: BUYER_NAME },
  orderMinutes: { text: 'time until an order can no longer be paid, in minutes', absent: String(ORDER_MINUTES) },
  baseUrl: { text: `the address of the API, without a path; ${TEST_URL} for the sandbox`, absent: LIVE_URL },
});

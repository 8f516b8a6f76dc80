import { createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import {
  credentialsReader,
  describeFields,
  numberBetween,
  originUrl,
  secretText,
  wholeNumberBetween,
} from '@/lib/providers/port/credentials';
import type { CredentialField } from '@/lib/providers/port/port';
import { MARKET } from './wire';

/** PKCS#1 v1.5 limits the plaintext to the key size less 11 bytes. 2048 bits are enough for every API key and session id. */
const KEY_MIN_BITS = 2048;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

const credentialsSchema = z.strictObject({
  baseUrl: originUrl('baseUrl').default('https://openapi.m-pesa.com'),
  /** The portal's name for live is `openapi`. */
  env: z.enum(['sandbox', 'openapi'], 'env must be "sandbox" or "openapi" (live)'),
  market: z.literal(MARKET.name, `market must be "${MARKET.name}"`).default(MARKET.name),
  apiKey: secretText('apiKey', 8, 200),
  /** The public key of the portal. Each environment has its own. */
  publicKey: z
    .string('publicKey is missing')
    .transform(
      (text, context) =>
        readPublicKey(text) ?? refuse(context, 'publicKey must be an RSA public key of at least 2048 bits in base64 (DER, SPKI)'),
    ),
  serviceProviderCode: z
    .string('serviceProviderCode is missing')
    .regex(/^[A-Za-z0-9]{4,12}$/, 'serviceProviderCode must be the shortcode: 4 to 12 letters and digits'),
  /** One of the application's trusted sources, as set in the portal. Calls send it as the Origin header. */
  origin: z
    .string()
    .regex(/^[\w.:/*-]{1,200}$/, 'origin must be a domain or an address, or "*"')
    .default('*'),
  /** Must equal the mode of the application in the portal. In `sync` a call lasts until the customer has answered. */
  mode: z.enum(['sync', 'async'], 'mode must be "sync" or "async"'),
  sessionMinutes: numberBetween('sessionMinutes', 1, 7 * DAY_MINUTES).default(HOUR_MINUTES),
  /** For this long after a session was opened, M-Pesa may still refuse calls with it. */
  sessionWarmupSeconds: numberBetween('sessionWarmupSeconds', 0, 120).default(30),
  /** Limit of parallel requests, over all workers. */
  callsAtOnce: wholeNumberBetween('callsAtOnce', 1, 1_000).optional(),
});

export type MpesaCredentials = Omit<z.infer<typeof credentialsSchema>, 'publicKey'> & { readonly publicKey: KeyObject };

export type MpesaCredentialsInput = z.input<typeof credentialsSchema>;

export const parseCredentials = credentialsReader('M-Pesa', credentialsSchema);

function readPublicKey(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= KEY_MIN_BITS ? key : null;
  } catch {
    return null;
  }
}

function refuse(context: z.core.$RefinementCtx, message: string): never {
  context.issues.push({ code: 'custom', message, input: undefined });
  return z.NEVER;
}

/** The fields of the credentials file of an M-Pesa account. The first fields are in the order of the portal. */
const FIELDS: Readonly<Record<keyof MpesaCredentialsInput, Omit<CredentialField, 'name'>>> = {
  env: { text: '"openapi" for an account in live, "sandbox" for an account in the sandbox', absent: null },
  apiKey: { text: "the application's API key, from the portal", absent: null },
  publicKey: { text: "the portal's public key of the same environment: base64, one line", absent: null },
  serviceProviderCode: { text: 'the shortcode (till) that receives the money: 4 to 12 letters and digits', absent: null },
  mode: {
    text: 'the answer mode of the application, as set in the portal: "sync" (the call lasts until the customer has answered) or "async"',
    absent: null,
  },
  origin: { text: 'a trusted source of the application, as set in the portal: a domain or an IP address', absent: '*' },
  market: { text: 'the market', absent: 'vodacomTZN' },
  baseUrl: { text: 'the address of the platform, without a path', absent: 'https://openapi.m-pesa.com' },
  sessionMinutes: { text: "lifetime of the application's sessions, minutes", absent: '60' },
  sessionWarmupSeconds: { text: 'how long after its creation the platform may refuse calls with a session, seconds', absent: '30' },
  callsAtOnce: { text: 'limit of parallel requests, over all workers', absent: '50 in sync mode, 25 in async mode' },
};

export const MPESA_FIELDS = describeFields(FIELDS);

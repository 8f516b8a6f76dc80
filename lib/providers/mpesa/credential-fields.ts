import type { CredentialField } from '@/lib/providers/port/port';
import type { MpesaCredentialsInput } from './credentials';

/** The fields of the credentials file of an M-Pesa account. The first ones have the order of the portal. */
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
  sessionWarmupSeconds: { text: 'how long the platform may refuse a new session, seconds', absent: '30' },
  callsAtOnce: { text: 'limit of parallel requests, over all workers', absent: '50 in sync mode, 25 in async mode' },
};

export const MPESA_FIELDS: readonly CredentialField[] = Object.entries(FIELDS).map(([name, field]) => ({ name, ...field }));

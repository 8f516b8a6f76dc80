import type { CredentialField } from '@/lib/providers/port/port';
import type { MpesaCredentialsInput } from './credentials';

/** What is written into the file of an M-Pesa account, in the order in which the portal shows it. */
const FIELDS: Readonly<Record<keyof MpesaCredentialsInput, Omit<CredentialField, 'name'>>> = {
  env: { text: '"openapi" for an account in live, "sandbox" for one in the sandbox', absent: null },
  apiKey: { text: "the application's API key, from the portal", absent: null },
  publicKey: { text: "the portal's public key of the same environment: base64, one line", absent: null },
  serviceProviderCode: { text: 'the shortcode (till) that receives the money: 4 to 12 letters and digits', absent: null },
  mode: {
    text: 'how the application answers, as it is set in the portal: "sync" (the call lasts until the customer has answered) or "async"',
    absent: null,
  },
  origin: { text: 'a trusted source of the application: a domain or an address', absent: '*' },
  market: { text: 'the market', absent: 'vodacomTZN' },
  baseUrl: { text: 'where the platform is, without a path', absent: 'https://openapi.m-pesa.com' },
  sessionMinutes: { text: "how long the application's sessions live, minutes", absent: '60' },
  sessionWarmupSeconds: { text: 'how long a new session may be refused before it works, seconds', absent: '30' },
  callsAtOnce: { text: 'how many prompts may be sent at once, by all workers together', absent: '50 in sync mode, 25 in async mode' },
};

export const MPESA_FIELDS: readonly CredentialField[] = Object.entries(FIELDS).map(([name, field]) => ({ name, ...field }));

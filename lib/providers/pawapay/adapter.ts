import { z } from 'zod';
import { type Clock, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { isLoopback } from '@/lib/platform/core/loopback';
import { parseMobile, toInternational } from '@/lib/platform/core/mobile';
import { toWholeShillings } from '@/lib/platform/core/money';
import type { Environment } from '@/lib/platform/core/scope';
import { credentialsReader, describeFields, originUrl, secretText, wholeNumberBetween } from '@/lib/providers/port/credentials';
import {
  type Capabilities,
  callbackAddresses,
  type ProviderAccount,
  type ProviderAdapter,
  type RawCallback,
  type ReadCallback,
  USUAL_LIMITS,
} from '@/lib/providers/port/port';
import { callJson, jsonReply, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import {
  DEPOSITS_PATH,
  type DepositRequest,
  depositSchema,
  idOf,
  isSigned,
  outcomeOf,
  REFUNDS_PATH,
  type RefundRequest,
  readDepositAnswer,
  readDepositStatus,
  readPublicKey,
  readRefundAnswer,
  readRefundStatus,
  WALLETS,
} from './wire';

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

const { parseCredentials, withCredentials, accountMembers } = credentialsReader('pawaPay', credentialsSchema);

/** Returns what is wrong with the environment of the account: real money must never pay a sandbox bill, nor sandbox money a live bill. */
function checkEnvironment({ baseUrl }: PawapayCredentials, environment: Environment): readonly string[] {
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

export const PAWAPAY_CAPABILITIES: Capabilities = {
  // Both limits of amounts depend on the wallet. pawaPay names them when it refuses an amount.
  ...USUAL_LIMITS,
  firstQueryMs: 10 * SECOND_MS,
  unknownQueryMs: 10 * SECOND_MS,
  refusesDuplicates: true,
  queriedBy: 'reference',
  repeatsAnswerMs: 0,
  signsCallbacks: true,
  indexingMs: MINUTE_MS,
  networks: ['vodacom', 'yas', 'airtel', 'halotel'],
};

/** Creates the adapter of pawaPay, an aggregator. Its ids are derived from our references. */
export function createPawapayAdapter({ clock }: { readonly clock: Clock }): ProviderAdapter {
  function call(account: ProviderAccount, signal: AbortSignal, path: string, body?: DepositRequest | RefundRequest) {
    return withCredentials(account, ({ baseUrl, apiToken }) => {
      const headers = { accept: 'application/json', authorization: `Bearer ${apiToken}` };
      return callJson(new URL(path, baseUrl), { headers, body, signal });
    });
  }

  return {
    name: 'pawapay',
    capabilities: PAWAPAY_CAPABILITIES,
    ...accountMembers({
      callsAtOnce: 20,
      callsPerMinute: ({ callsPerMinute }) => callsPerMinute,
      check: checkEnvironment,
      address: ({ baseUrl }) => baseUrl,
      till: ({ apiToken }) => ({ name: 'apiToken', value: apiToken, is: 'secret' }),
    }),
    async send(account, { reference, amount, mobile, network }, signal) {
      const provider = WALLETS[network];
      if (provider === null) return notSent(`pawaPay does not reach ${network}`);
      return call(account, signal, DEPOSITS_PATH, {
        depositId: idOf(reference),
        amount: toWholeShillings(amount).toString(),
        currency: 'TZS',
        payer: { type: 'MMO', accountDetails: { phoneNumber: toInternational(mobile), provider } },
        clientReferenceId: reference,
      });
    },
    readAnswer: (answer, { reference }) => readDepositAnswer(answer, idOf(reference)),
    query: (account, { reference }, signal) => call(account, signal, `${DEPOSITS_PATH}/${idOf(reference)}`),
    readStatus: (answer, { reference }) => readDepositStatus(answer, idOf(reference)),
    readCallback: (account, callback) => readDepositCallback(account, callback, clock()),
    reversals: {
      partial: true,
      send: (account, { reference, transactionId, amount }, signal) =>
        call(account, signal, REFUNDS_PATH, {
          refundId: idOf(reference),
          depositId: transactionId,
          amount: toWholeShillings(amount).toString(),
          currency: 'TZS',
        }),
      readAnswer: (answer, { reference }) => readRefundAnswer(answer, idOf(reference)),
      query: (account, { reference }, signal) => call(account, signal, `${REFUNDS_PATH}/${idOf(reference)}`),
      readStatus: (answer, { reference }) => readRefundStatus(answer, idOf(reference)),
    },
  };
}

function readDepositCallback(account: ProviderAccount, callback: RawCallback, now: Date): ReadCallback {
  const deposit = depositSchema.safeParse(parseJson(callback.body)).data;
  const names = {
    reference: deposit?.clientReferenceId || null,
    providerReference: deposit?.depositId ?? null,
    payer: parseMobile(deposit?.payer?.accountDetails.phoneNumber ?? ''),
    reply: jsonReply({}),
  };
  const credentials = parseCredentials(account.credentials);
  const key = credentials.ok && credentials.value.callbackPublicKey ? readPublicKey(credentials.value.callbackPublicKey) : null;
  const addresses = callbackAddresses(account).flatMap((text) => URL.parse(text) ?? []);
  // The id is derived from our reference. A deposit with any other id comes from another system that uses the same pawaPay account.
  const ours = deposit?.clientReferenceId != null && deposit.depositId === idOf(deposit.clientReferenceId);
  if (deposit && ours && key && addresses.some((address) => isSigned(callback, address, key, now)))
    return { ...names, verified: true, outcome: outcomeOf(deposit) };
  return { ...names, verified: false, outcome: null, claimsPaid: deposit?.status === 'COMPLETED' };
}

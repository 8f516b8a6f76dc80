import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { parseMobile, toInternational } from '@/lib/core/mobile';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/core/money';
import { valueOrNull } from '@/lib/core/result';
import { callJson } from '@/lib/providers/port/call-json';
import { credentialsCheck, tillReader } from '@/lib/providers/port/credentials';
import {
  type Capabilities,
  callbackAddresses,
  type ProviderAccount,
  type ProviderAdapter,
  type RawAnswer,
  type RawCallback,
  type ReadCallback,
} from '@/lib/providers/port/port';
import { jsonReply, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import { checkEnvironment, parseCredentials } from './credentials';
import { idOf } from './ids';
import { outcomeOf, readDepositAnswer, readDepositStatus, readRefundAnswer, readRefundStatus } from './read';
import { isSigned, readPublicKey } from './signature';
import { DEPOSITS_PATH, type DepositRequest, depositSchema, REFUNDS_PATH, type RefundRequest, WALLETS } from './wire';

const CALLS_AT_ONCE = 20;

export const PAWAPAY_CAPABILITIES: Capabilities = {
  firstQueryMs: 10 * SECOND_MS,
  unknownQueryMs: 10 * SECOND_MS,
  maxQueryMs: HOUR_MS,
  retryMs: 5 * SECOND_MS,
  giveUpMs: 2 * MINUTE_MS,
  promptMs: 3 * MINUTE_MS,
  refusesDuplicates: true,
  queriedBy: 'reference',
  repeatsAnswerMs: 0,
  signsCallbacks: true,
  indexingMs: MINUTE_MS,
  networks: ['vodacom', 'yas', 'airtel', 'halotel'],
  // Both limits depend on the wallet. pawaPay names them when it refuses an amount. `maxAmount` is the highest limit of any wallet.
  minAmount: 100n * SENTI_PER_SHILLING,
  maxAmount: 10_000_000n * SENTI_PER_SHILLING,
};

/** Creates the adapter of pawaPay, an aggregator. Its ids are derived from our references. */
export function createPawapayAdapter({ clock }: { readonly clock: Clock }): ProviderAdapter {
  async function call(
    account: ProviderAccount,
    signal: AbortSignal,
    path: string,
    body?: DepositRequest | RefundRequest,
  ): Promise<RawAnswer> {
    const credentials = parseCredentials(account.credentials);
    if (!credentials.ok) return notSent(credentials.error.join(' '));
    const { baseUrl, apiToken } = credentials.value;
    const headers = { accept: 'application/json', authorization: `Bearer ${apiToken}` };
    return callJson(new URL(path, baseUrl), { headers, body, signal });
  }

  return {
    name: 'pawapay',
    simulatesFailures: false,
    capabilities: PAWAPAY_CAPABILITIES,
    callsAtOnce: () => CALLS_AT_ONCE,
    callsPerMinute: ({ credentials }) => valueOrNull(parseCredentials(credentials))?.callsPerMinute ?? null,
    checkCredentials: credentialsCheck(parseCredentials, checkEnvironment),
    addressOf: (credentials) => URL.parse(valueOrNull(parseCredentials(credentials))?.baseUrl ?? ''),
    tillOf: tillReader(parseCredentials, ({ apiToken }) => ({ name: 'apiToken', value: apiToken, is: 'secret' })),
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
    statement: null,
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

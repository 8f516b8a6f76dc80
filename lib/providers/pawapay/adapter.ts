import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { toInternational } from '@/lib/core/mobile';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/core/money';
import { callOnce } from '@/lib/outbound/call-once';
import type { Capabilities, ProviderAccount, ProviderAdapter, RawAnswer, RawCallback, ReadCallback } from '@/lib/providers/port/port';
import { notSent, parseJson, toRawAnswer } from '@/lib/providers/port/raw-answer';
import { checkEnvironment, parseCredentials } from './credentials';
import { idOf } from './ids';
import { outcomeOf, readDepositAnswer, readDepositStatus, readRefundAnswer, readRefundStatus } from './read';
import { isSigned, readPublicKey } from './signature';
import { DEPOSITS_PATH, type DepositRequest, depositSchema, REFUNDS_PATH, type RefundRequest, WALLETS } from './wire';

const CALL_TIMEOUT_MS = 30 * SECOND_MS;
const CALLS_AT_ONCE = 20;
const REPLY = { status: 200, body: '{}', contentType: 'application/json' };

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
  // Both limits depend on the wallet, and a refusal names them. The upper one is the highest of any wallet.
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
    const answer = await callOnce(new URL(path, baseUrl).href, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${apiToken}` },
      timeoutMs: CALL_TIMEOUT_MS,
      signal,
      ...(body && { body: JSON.stringify(body) }),
    });
    return toRawAnswer(answer);
  }

  return {
    name: 'pawapay',
    simulatesFailures: false,
    capabilities: PAWAPAY_CAPABILITIES,
    callsAtOnce: () => CALLS_AT_ONCE,
    callsPerMinute({ credentials }) {
      const parsed = parseCredentials(credentials);
      return parsed.ok ? parsed.value.callsPerMinute : null;
    },
    checkCredentials(credentials, environment) {
      const parsed = parseCredentials(credentials);
      return parsed.ok ? checkEnvironment(parsed.value, environment) : parsed.error;
    },
    addressOf(credentials) {
      const parsed = parseCredentials(credentials);
      return parsed.ok ? new URL(parsed.value.baseUrl) : null;
    },
    shortcodeOf: () => null,
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
      send: (account, { reference, transactionId, paid, amount }, signal) =>
        call(account, signal, REFUNDS_PATH, {
          refundId: idOf(reference),
          depositId: transactionId,
          amount: toWholeShillings(amount ?? paid).toString(),
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
  const names = { reference: deposit?.clientReferenceId || null, providerReference: deposit?.depositId ?? null, reply: REPLY };
  const credentials = parseCredentials(account.credentials);
  const key = credentials.ok && credentials.value.callbackPublicKey ? readPublicKey(credentials.value.callbackPublicKey) : null;
  const address = URL.parse(account.callbackUrl);
  // The id is derived from our reference. Another one belongs to another system that uses the same pawaPay account.
  const ours = deposit?.clientReferenceId != null && deposit.depositId === idOf(deposit.clientReferenceId);
  if (deposit && ours && key && address && isSigned(callback, address, key, now))
    return { ...names, verified: true, outcome: outcomeOf(deposit) };
  return { ...names, verified: false, outcome: null, claimsPaid: deposit?.status === 'COMPLETED' };
}

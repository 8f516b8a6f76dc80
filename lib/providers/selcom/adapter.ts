import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { toInternational } from '@/lib/core/mobile';
import { SENTI_PER_SHILLING, toWholeShillings } from '@/lib/core/money';
import { valueOrNull } from '@/lib/core/result';
import { CALL_TIMEOUT_MS, callJson } from '@/lib/providers/port/call-json';
import { credentialsCheck, tillReader } from '@/lib/providers/port/credentials';
import type { Capabilities, PromptRequest, ProviderAccount, ProviderAdapter, RawAnswer } from '@/lib/providers/port/port';
import { notSent } from '@/lib/providers/port/raw-answer';
import { readSelcomCallback } from './callback';
import { checkEnvironment, parseCredentials, type SelcomCredentials } from './credentials';
import { readOrderAnswer, readPaymentAnswer, readStatusAnswer } from './read';
import { signHeaders } from './signature';
import { type Fields, ORDER_PATH, type OrderRequest, PAYMENT_PATH, type PaymentRequest, STATUS_PATH } from './wire';

const CALLS_AT_ONCE = 10;
/** Selcom asks clients to query a payment in progress at most every three minutes. */
const PACE_MS = 3 * MINUTE_MS;

export const SELCOM_CAPABILITIES: Capabilities = {
  firstQueryMs: PACE_MS,
  unknownQueryMs: PACE_MS,
  maxQueryMs: HOUR_MS,
  retryMs: 5 * SECOND_MS,
  giveUpMs: 2 * MINUTE_MS,
  // An assumption: Selcom does not document how long a customer can answer a prompt.
  promptMs: 5 * MINUTE_MS,
  refusesDuplicates: true,
  queriedBy: 'reference',
  repeatsAnswerMs: 0,
  signsCallbacks: false,
  indexingMs: PACE_MS,
  networks: ['vodacom', 'yas', 'airtel', 'halotel', 'ttcl'],
  // Neither limit is documented. `maxAmount` is the highest limit of any wallet.
  minAmount: 100n * SENTI_PER_SHILLING,
  maxAmount: 10_000_000n * SENTI_PER_SHILLING,
};

type Call = { readonly method: 'GET' | 'POST'; readonly path: string; readonly fields: Fields };

/**
 * Creates the adapter of Selcom Checkout, an aggregator. A prompt needs two calls: create-order-minimal, which reaches no customer and
 * is refused for a used order id, and wallet-payment, which sends the prompt. No source says that Selcom refuses a repeated wallet-payment.
 * So the adapter calls wallet-payment only for an order that the same `send` has created, or for which it is certain that wallet-payment
 * was not called before.
 */
export function createSelcomAdapter({ clock }: { readonly clock: Clock }): ProviderAdapter {
  async function call({ baseUrl, ...keys }: SelcomCredentials, signal: AbortSignal, { method, path, fields }: Call): Promise<RawAnswer> {
    const url = new URL(path, baseUrl);
    if (method === 'GET') for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, String(value));
    const headers = { accept: 'application/json', ...signHeaders(fields, keys, clock()) };
    return callJson(url, { headers, body: method === 'POST' ? fields : undefined, signal });
  }

  /** Sends a prompt. Returns the answer to wallet-payment or, if wallet-payment was not called, the answer to create-order. */
  async function send(account: ProviderAccount, prompt: PromptRequest, signal: AbortSignal): Promise<RawAnswer> {
    const credentials = parseCredentials(account.credentials);
    if (!credentials.ok) return notSent(credentials.error.join(' '));
    const startedAt = clock().getTime();
    const fields = toOrder(account, prompt, credentials.value);
    const order = await call(credentials.value, signal, { method: 'POST', path: ORDER_PATH, fields });
    const result = readOrderAnswer(order);
    if (result === 'unclear') return withoutPrompt(order);
    // An earlier `send` may have sent the prompt for this order.
    if (result === 'exists' && prompt.neverReached !== true) return order;
    if (result === 'refused') return prompt.neverReached === true ? order : withoutDecision(order);
    // If this process was paused for long, another worker may have claimed the attempt and sent the prompt meanwhile.
    const paused = clock().getTime() - startedAt > CALL_TIMEOUT_MS;
    if (paused || signal.aborted) return notSent('interrupted after create-order: no prompt was sent');
    return call(credentials.value, signal, { method: 'POST', path: PAYMENT_PATH, fields: toPayment(prompt) });
  }

  return {
    name: 'selcom',
    simulatesFailures: false,
    capabilities: SELCOM_CAPABILITIES,
    callsAtOnce: () => CALLS_AT_ONCE,
    callsPerMinute: () => null,
    checkCredentials: credentialsCheck(parseCredentials, checkEnvironment),
    addressOf: (credentials) => URL.parse(valueOrNull(parseCredentials(credentials))?.baseUrl ?? ''),
    tillOf: tillReader(parseCredentials, ({ vendor }) => ({ name: 'vendor', value: vendor.toUpperCase(), is: 'number' })),
    send,
    readAnswer: readPaymentAnswer,
    async query(account, { reference }, signal) {
      const credentials = parseCredentials(account.credentials);
      if (!credentials.ok) return notSent(credentials.error.join(' '));
      return call(credentials.value, signal, { method: 'GET', path: STATUS_PATH, fields: { order_id: reference } });
    },
    readStatus: readStatusAnswer,
    readCallback: (account, callback) => readSelcomCallback(account, callback, clock()),
    statement: null,
    reversals: null,
  };
}

/** Marks an unusable or lost answer to create-order as `not_sent`: no prompt was sent, even if the order exists. */
function withoutPrompt(answer: RawAnswer): RawAnswer {
  const problem = answer.error ?? (answer.status === null ? 'no answer' : `HTTP ${answer.status}`);
  return { ...answer, lost: 'not_sent', error: `create-order: ${problem}; no prompt was sent` };
}

/**
 * Marks a refusal of create-order as unknown: the refusal may be another wording of "the order exists", and then an earlier prompt may
 * exist too.
 */
function withoutDecision(answer: RawAnswer): RawAnswer {
  const error = `create-order: refused with HTTP ${answer.status}; an earlier request may have sent the prompt`;
  return { ...answer, lost: 'unknown', error };
}

function toOrder({ callbackUrl }: ProviderAccount, { reference, mobile, amount }: PromptRequest, credentials: SelcomCredentials) {
  return {
    vendor: credentials.vendor,
    order_id: reference,
    buyer_email: credentials.buyerEmail,
    buyer_name: credentials.buyerName,
    buyer_phone: toInternational(mobile),
    amount: Number(toWholeShillings(amount)),
    currency: 'TZS',
    no_of_items: 1,
    ...(callbackUrl !== '' && { webhook: Buffer.from(callbackUrl).toString('base64') }),
    expiry: credentials.orderMinutes,
  } satisfies OrderRequest;
}

function toPayment({ reference, mobile }: PromptRequest) {
  return { transid: reference, order_id: reference, msisdn: toInternational(mobile) } satisfies PaymentRequest;
}

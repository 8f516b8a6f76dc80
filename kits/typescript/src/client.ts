import { type BillDetails, type CreatedBill, listItemJson, type NewBill, newBillJson, readBillDetails, readCreatedBill } from './bill.ts';
import { BiliApiError, BiliConnectionError, BiliError, BiliNotPaidError } from './errors.ts';
import { type BillEvent, type EventPage, type NetworkStatus, readBillEvents, readEventPage, readNetworks } from './events.ts';
import { unixMs } from './fields.ts';
import {
  type BillPage,
  type BillsQuery,
  type BulkResult,
  type Payment,
  type PaymentRequest,
  readBillPage,
  readBulkResults,
  readPaymentRequest,
  readPaymentRequests,
  readPayments,
  readSandboxTime,
  readValidated,
  type SandboxTime,
  type SandboxTimePart,
  type ValidatedBill,
} from './history.ts';
import { type ApiRequest, Http, type Options, sleep } from './http.ts';
import { type Instrument, readInstruments } from './instrument.ts';
import { type NewPayment, newPaymentJson, type RecordedPayment, readRecordedPayment } from './recorded-payment.ts';
import { type NewRefund, newRefundJson, type Refund, readRefund, readRefunds } from './refund.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface CreateOptions extends CallOptions {
  /**
   * Default: a random key, which makes the retries of one call safe. If your process can crash and then make the same call again, give
   * your order number: the second call then returns the result of the first and changes nothing.
   */
  readonly idempotencyKey?: string;
}

export interface PushOptions extends CreateOptions {
  /** Default: the phone number of the bill. */
  readonly mobile?: string;
}

export interface ReasonOptions extends CallOptions {
  /** The reason that the bill's history in the dashboard shows. */
  readonly reason?: string;
}

export interface WaitOptions extends CallOptions {
  /** How long to wait at most. Default: 3 minutes. */
  readonly deadlineMs?: number;
  /** The first pause between two reads of the bill. Each further pause is 1.5 times the previous one. Default: 1 second. */
  readonly pollMs?: number;
  /** The longest pause between two reads of the bill. Default: 10 seconds. */
  readonly pollMaxMs?: number;
  /**
   * Whether the wait also ends when the last payment request has failed. By default it continues, because the customer can try again.
   * If the payment request has expired (`EXPIRED`), the wait always continues, because the money can still come.
   */
  readonly stopOnFailure?: boolean;
}

export interface EventOptions extends CallOptions {
  /** The cursor after which to continue. By default, the first event of the feed comes first. */
  readonly after?: string | null;
  /** How many events to read with one request: 1 to 500. */
  readonly limit?: number;
  /** If set, the iteration does not end at the newest event, but asks for new events at this interval, in milliseconds. */
  readonly followMs?: number;
}

/** A client of Bili's merchant API. */
export class Bili {
  readonly #http: Http;

  constructor(options: Options) {
    this.#http = new Http(options);
  }

  /**
   * Creates a bill. Repeats the request with the same Idempotency-Key if the answer is lost, so that there is never a second bill.
   * `ignored` of the result names what Bili did not use, for example an `expiresAt` in the past.
   */
  createBill(bill: NewBill, { idempotencyKey = crypto.randomUUID(), signal }: CreateOptions = {}): Promise<CreatedBill> {
    return this.#http.send({ method: 'POST', path: '/bills/create', body: newBillJson(bill), idempotencyKey, signal }, readCreatedBill);
  }

  getBill(id: string, { signal }: CallOptions = {}): Promise<BillDetails> {
    return this.#http.send({ method: 'GET', path: `/bills/${segment(id)}`, signal }, readBillDetails);
  }

  /**
   * Creates up to 500 bills. Each is created or refused separately, so a mistake in one bill does not affect the others.
   * @returns the results in the order of the bills
   */
  createBills(
    bills: readonly (NewBill & { readonly idempotencyKey?: string })[],
    { idempotencyKey = crypto.randomUUID(), signal }: CreateOptions = {},
  ): Promise<readonly BulkResult[]> {
    const body = `{"bills":[${bills.map(listItemJson).join()}]}`;
    return this.#http.send({ method: 'POST', path: '/bills/bulk', body, idempotencyKey, signal }, readBulkResults);
  }

  /** Returns what creating a bill would do, without creating it. Throws the errors that creating it would throw. */
  validateBill(bill: NewBill, { signal }: CallOptions = {}): Promise<ValidatedBill> {
    return this.#http.send({ method: 'POST', path: '/bills/validate', body: newBillJson(bill), signal }, readValidated);
  }

  /** Reads one page of the bills, newest first. With a filter, a page may have few bills, or none, although there are more. */
  listBills({ from, to, metadata = {}, ...others }: BillsQuery = {}, { signal }: CallOptions = {}): Promise<BillPage> {
    const texts = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`metadata[${name}]`, value]));
    const query = { ...others, ...texts, from: unixMs(from, 'from'), to: unixMs(to, 'to') };
    return this.#http.send({ method: 'GET', path: '/bills', query, signal }, readBillPage);
  }

  listPayments(id: string, { signal }: CallOptions = {}): Promise<readonly Payment[]> {
    return this.#http.send({ method: 'GET', path: `/bills/${segment(id)}/payments`, signal }, readPayments);
  }

  listPaymentRequests(id: string, { signal }: CallOptions = {}): Promise<readonly PaymentRequest[]> {
    return this.#http.send({ method: 'GET', path: `/bills/${segment(id)}/attempts`, signal }, readPaymentRequests);
  }

  listBillEvents(id: string, { signal }: CallOptions = {}): Promise<readonly BillEvent[]> {
    return this.#http.send({ method: 'GET', path: `/bills/${segment(id)}/events`, signal }, readBillEvents);
  }

  /** Sends a payment request for the remaining amount to the bill's phone number, or to `mobile`. */
  pushBill(id: string, { mobile, idempotencyKey = crypto.randomUUID(), signal }: PushOptions = {}): Promise<PaymentRequest> {
    const body = JSON.stringify({ mobile });
    return this.#http.send({ method: 'POST', path: `/bills/${segment(id)}/push`, body, idempotencyKey, signal }, readPaymentRequest);
  }

  /** Closes a bill: nobody can pay it any more. */
  closeBill(id: string, options: ReasonOptions = {}): Promise<BillDetails> {
    return this.#change(id, 'close', options);
  }

  reopenBill(id: string, options: ReasonOptions = {}): Promise<BillDetails> {
    return this.#change(id, 'reopen', options);
  }

  #change(id: string, action: string, { reason, signal }: ReasonOptions): Promise<BillDetails> {
    const path = `/bills/${segment(id)}/${action}`;
    return this.#http.send({ method: 'POST', path, body: JSON.stringify({ reason }), signal }, readBillDetails);
  }

  /**
   * Returns money of a payment to the customer: `amount`, or what is left of the payment. The money is seldom back when this method
   * returns: see `state`. The API key needs the scope `refund`.
   */
  refund(id: string, refund: NewRefund, { idempotencyKey = crypto.randomUUID(), signal }: CreateOptions = {}): Promise<Refund> {
    const path = `/bills/${segment(id)}/refunds`;
    return this.#http.send({ method: 'POST', path, body: newRefundJson(refund), idempotencyKey, signal }, readRefund);
  }

  /** Reads the refunds of a bill, newest first. */
  refunds(id: string, { signal }: CallOptions = {}): Promise<readonly Refund[]> {
    return this.#http.send({ method: 'GET', path: `/bills/${segment(id)}/refunds`, signal }, readRefunds);
  }

  /**
   * Asks for the ways to pay the bill without a payment request: a number, a QR code or a link. Asking again changes nothing. The provider
   * issues them after this method has returned: read them with `instruments` until they are `ACTIVE`.
   */
  askInstruments(id: string, { signal }: CallOptions = {}): Promise<readonly Instrument[]> {
    return this.#http.send({ method: 'POST', path: `/bills/${segment(id)}/instruments`, signal }, readInstruments);
  }

  /** Reads the payment instruments of a bill, oldest first. Read them again before you show them: they end when the bill changes. */
  instruments(id: string, { signal }: CallOptions = {}): Promise<readonly Instrument[]> {
    return this.#http.send({ method: 'GET', path: `/bills/${segment(id)}/instruments`, signal }, readInstruments);
  }

  /** Records money that a person received for a bill, for example cash. The API key needs the scope `record`. */
  recordPayment(
    id: string,
    payment: NewPayment,
    { idempotencyKey = crypto.randomUUID(), signal }: CreateOptions = {},
  ): Promise<RecordedPayment> {
    const path = `/bills/${segment(id)}/payments`;
    return this.#http.send({ method: 'POST', path, body: newPaymentJson(payment), idempotencyKey, signal }, readRecordedPayment);
  }

  networks({ signal }: CallOptions = {}): Promise<readonly NetworkStatus[]> {
    return this.#http.send({ method: 'GET', path: '/networks', signal }, readNetworks);
  }

  /** Reads one page of the event feed. */
  listEvents({ after = null, limit, signal }: EventOptions = {}): Promise<EventPage> {
    return this.#http.send({ method: 'GET', path: '/events', query: { after, limit }, signal }, (json) => readEventPage(json, after));
  }

  /**
   * Sends any other request of the API, with the same retries. A POST without an idempotency key gets a random one, so that a retry does
   * not repeat the effect of the first request.
   * @returns the JSON of the answer
   */
  request(request: ApiRequest): Promise<unknown> {
    const key = request.method === 'POST' ? { idempotencyKey: crypto.randomUUID() } : {};
    return this.#http.send({ ...key, ...request }, (json) => json);
  }

  /**
   * For tests. Makes everything in the sandbox that waits for a later time (bills, payment requests, webhooks) due `advanceSeconds`
   * earlier, and sets how fast simulated phones answer. A large sandbox needs several requests. This method sends all of them.
   */
  async controlSandboxTime(
    change: { readonly advanceSeconds?: number; readonly delayPercent?: number },
    { signal }: CallOptions = {},
  ): Promise<SandboxTime> {
    const moved: Record<string, number> = {};
    for (let after: string | null = null; ; ) {
      const body: object = after === null ? change : { ...change, after };
      const request: ApiRequest = { method: 'POST', path: '/sandbox/time', body, idempotencyKey: crypto.randomUUID(), signal };
      const part: SandboxTimePart = await this.#http.send(request, readSandboxTime);
      for (const [kind, count] of Object.entries(part.moved)) moved[kind] = (moved[kind] ?? 0) + Number(count);
      if (part.cursor === null) return { delayPercent: part.delayPercent, moved };
      after = part.cursor;
    }
  }

  /** Iterates over the event feed, page by page, to its end or for ever. */
  async *events(options: EventOptions = {}): AsyncGenerator<BillEvent, void, undefined> {
    for (let after = options.after ?? null; ; ) {
      const page = await this.listEvents({ ...options, after });
      yield* page.events;
      after = page.cursor;
      if (page.more) continue;
      if (options.followMs === undefined) return;
      await sleep(options.followMs, options.signal);
    }
  }

  /**
   * Reads the bill with growing pauses until it is fully paid.
   * @throws BiliNotPaidError if the bill is not fully paid at the deadline, if it is closed, or if it was paid after the first read and the
   * payment was then reversed. If the payment was reversed before the first read, the method waits for another payment.
   */
  async waitUntilPaid(id: string, options: WaitOptions = {}): Promise<BillDetails> {
    const { deadlineMs = 180_000, pollMs = 1_000, pollMaxMs = 10_000, stopOnFailure = false, signal } = options;
    const deadline = Date.now() + deadlineMs;
    let first: BillDetails | null = null;
    let bill: BillDetails | null = null;
    for (let pause = pollMs; ; pause = Math.min(pause * 1.5, pollMaxMs)) {
      bill = (await this.#readWhileWaiting(id, signal)) ?? bill;
      first ??= bill;
      if (bill?.status === 'FULLY_PAID') return bill;
      if (bill?.paidAt && !first?.paidAt) throw new BiliNotPaidError('reversed', bill);
      if (bill?.closedAt) throw new BiliNotPaidError('closed', bill);
      if (stopOnFailure && bill?.lastAttempt?.state === 'FAILED') throw new BiliNotPaidError('attempt_failed', bill);
      const left = deadline - Date.now();
      if (left <= 0) throw new BiliNotPaidError('deadline', bill);
      await sleep(Math.min(pause, left), signal);
    }
  }

  /**
   * Reads the bill once.
   * @returns null if Bili could not be reached or could not answer now. The caller then continues to wait.
   */
  async #readWhileWaiting(id: string, signal: AbortSignal | undefined): Promise<BillDetails | null> {
    try {
      return await this.getBill(id, signal ? { signal } : {});
    } catch (error) {
      if (error instanceof BiliConnectionError || (error instanceof BiliApiError && error.retryable)) return null;
      throw error;
    }
  }
}

function segment(id: string): string {
  if (!id) throw new BiliError('The id of the bill is required');
  return encodeURIComponent(id);
}

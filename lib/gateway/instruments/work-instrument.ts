import type { WorkerRuntime } from '@/lib/gateway/attempts/call-provider';
import { holdLease, LEASE_MS, retryWrite } from '@/lib/gateway/attempts/hold-lease';
import { webPayUrl } from '@/lib/gateway/bills/bill-json';
import { insertProviderMessage, markHandled, type ProviderMessageRow, type UnhandledMessage } from '@/lib/gateway/messages/message-store';
import { reach } from '@/lib/platform/config/fail-point';
import { baseUrl } from '@/lib/platform/config/settings';
import { systemActor } from '@/lib/platform/core/actor';
import { addMs } from '@/lib/platform/core/clock';
import { checkQr } from '@/lib/platform/core/emv';
import { newId } from '@/lib/platform/core/ids';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findAccountById, openAccount } from '@/lib/providers/accounts/account-store';
import type { InstrumentRequest, InstrumentStatus, Instruments, IssueOutcome } from '@/lib/providers/port/instrument';
import type { ProviderAccount, ProviderAdapter, RawAnswer } from '@/lib/providers/port/port';
import { askInstruments } from './ask-instruments';
import { bookInstrumentPayment } from './book-payment';
import { decideChange, decideIssue, decideStatus, endOf, type Instrument, instrumentAmount } from './rules';
import { type ClaimedInstrument, extendLease, findInstrument, moveInstrument, readInstrumentBill } from './store';

/** What a worker asks a provider about an instrument. */
type Ask = 'issue' | 'query' | 'cancel' | 'change';
const KINDS = { issue: 'instrument', query: 'instrument_status', cancel: 'instrument_change', change: 'instrument_change' } as const;

interface Issuer {
  readonly account: ProviderAccount;
  readonly adapter: ProviderAdapter;
  readonly instruments: Instruments;
}

/**
 * Does the next step of a claimed instrument: issues it, queries its payments, or lets it follow the bill. If the state before the claim was
 * SENDING, the earlier worker was interrupted while it sent the request. Then the request is not sent again: the status is queried.
 */
export async function workInstrument(runtime: WorkerRuntime, instrument: ClaimedInstrument, signal: AbortSignal): Promise<void> {
  reach('instrument.claimed');
  const { db, clock } = runtime;
  const stored = await findAccountById(db, instrument.providerAccountId);
  const adapter = stored && runtime.providers.find(stored.provider);
  if (!stored || !adapter?.instruments) throw new Error(`the provider of instrument ${instrument.id} does not exist in this version`);
  const issuer = { account: openAccount(runtime, stored), adapter, instruments: adapter.instruments };
  const now = clock();
  if (instrument.previousState === 'SENDING') {
    await moveInstrument(db, instrument, { state: 'UNKNOWN', dueAt: addMs(now, adapter.capabilities.unknownQueryMs), now });
    return;
  }
  const ask = await nextStep(runtime, instrument, issuer, now);
  if (ask === null) return;
  const leaseUntil = () => addMs(clock(), LEASE_MS);
  if (!(await extendLease(db, instrument, leaseUntil(), instrument.state))) return;
  reach('instrument.held');
  await callIssuer(runtime, instrument, { ...issuer, ask, leaseUntil, signal });
}

/** Lets an instrument follow its bill. Returns what to ask the provider next; null if nothing. */
async function nextStep(runtime: WorkerRuntime, instrument: ClaimedInstrument, { instruments }: Issuer, now: Date): Promise<Ask | null> {
  const { previousState, cancelRefused, closedAt, queryCount } = instrument;
  const end = endOf(instrument, await readInstrumentBill(runtime.db, instrument.billId), now);
  const offer = instruments.offers.find(({ kind }) => kind === instrument.kind);
  switch (previousState) {
    case 'ASKED':
      if (end === null) return 'issue';
      await endInstrument(runtime, instrument);
      return null;
    case 'ACTIVE':
      if (end === null) return 'query';
      if (end === 'changed' && offer?.takes === 'open') return instruments.changeAmount ? 'change' : 'query';
      await endInstrument(runtime, instrument);
      return null;
    case 'ENDED':
      // While the provider does not answer cancellations, every second step is a query, so that payments are found meanwhile.
      return closedAt === null && !cancelRefused && instruments.cancel && queryCount % 2 === 1 ? 'cancel' : 'query';
    default:
      return 'query';
  }
}

/** Ends an instrument, because customers must not pay it any more. If the remaining amount has changed, another one replaces it. */
async function endInstrument(runtime: WorkerRuntime, instrument: ClaimedInstrument): Promise<void> {
  await askInstruments(runtime, instrument.billId, systemActor('worker').name, async (tx, bill, now) => {
    const end = endOf(instrument, bill, now);
    const neverSent = instrument.previousState === 'ASKED';
    const move = end === null ? { state: instrument.previousState } : { state: 'ENDED' as const, end, closed: neverSent };
    const moved = await moveInstrument(tx, instrument, { ...move, dueAt: end !== null && neverSent ? null : now, now });
    return moved && end === 'changed';
  });
  reach('instrument.ended');
}

interface CallOptions extends Issuer {
  readonly ask: Ask;
  readonly leaseUntil: () => Date;
  readonly signal: AbortSignal;
}

/** Calls the provider under the lease, stores the answer, and applies it. */
async function callIssuer(
  runtime: WorkerRuntime,
  instrument: ClaimedInstrument,
  { ask, leaseUntil, signal, ...issuer }: CallOptions,
): Promise<void> {
  const { db, clock, log, heartbeatMs } = runtime;
  const { account } = issuer;
  const bill = await readInstrumentBill(db, instrument.billId);
  const request = toRequest(runtime, instrument, ask === 'change' ? instrumentAmount(bill, clock()) : instrument.amount);
  const about = { instrumentId: instrument.id, billId: instrument.billId, provider: account.provider, asks: ask };
  const renew = () => extendLease(db, instrument, leaseUntil());
  await holdLease({ renew, heartbeatMs, log, about, signal }, async (held) => {
    const calledAt = clock();
    const answer = await call(issuer, ask, request, held);
    reach('instrument.called');
    const receivedAt = clock();
    const message: ProviderMessageRow = {
      id: newId(runtime),
      account,
      attemptId: null,
      instrumentId: instrument.id,
      kind: KINDS[ask],
      message: answer,
      leaseToken: instrument.leaseToken,
      receivedAt,
      tookMs: receivedAt.getTime() - calledAt.getTime(),
    };
    await retryWrite(() => insertProviderMessage(db, message), { log, about, signal: held });
    reach('instrument.answer_stored');
    log.info({ ...about, status: answer.status, error: answer.error }, 'provider answered');
    await retryWrite(() => applyAnswer(runtime, instrument, issuer, { ask, answer, request }), { log, about, signal: held });
    reach('instrument.applied');
    await markHandled(db, message.id, clock());
  });
}

async function call({ account, instruments }: Issuer, ask: Ask, request: InstrumentRequest, signal: AbortSignal): Promise<RawAnswer> {
  const changes = { cancel: instruments.cancel, change: instruments.changeAmount };
  if (ask === 'issue') return instruments.send(account, request, signal);
  if (ask === 'query') return instruments.query(account, request, signal);
  const change = changes[ask];
  if (!change) throw new Error(`the provider ${account.provider} has no call to ${ask} an instrument`);
  return change.send(account, request, signal);
}

interface Answered {
  readonly ask: Ask;
  readonly answer: RawAnswer;
  readonly request: InstrumentRequest;
}

/** Applies an answer about an instrument. Idempotent. */
async function applyAnswer(
  runtime: WorkerRuntime,
  instrument: Instrument,
  { account, adapter, instruments }: Issuer,
  { ask, answer, request }: Answered,
): Promise<void> {
  const { db, clock, log } = runtime;
  const pace = adapter.capabilities;
  const now = clock();
  switch (ask) {
    case 'issue': {
      const outcome = instruments.readAnswer(answer, request);
      const checked = outcome.kind === 'issued' ? withCheckedQr(runtime, instrument, outcome) : outcome;
      const move = decideIssue(instrument, checked, pace, now);
      if (!(await moveInstrument(db, instrument, { ...move, now })) || move.state !== 'ENDED') return;
      log.warn({ instrumentId: instrument.id, reason: move.failureReason }, 'a provider refused to issue an instrument');
      // Another account may issue one.
      await askInstruments(runtime, instrument.billId, systemActor('worker').name);
      return;
    }
    case 'query': {
      const status = instruments.readStatus(answer, request);
      await bookPayments(runtime, instrument, account.id, status);
      const checked = status.kind === 'open' && status.issued ? withCheckedQr(runtime, instrument, status.issued) : null;
      const issued = checked?.kind === 'issued' ? checked : null;
      const move = decideStatus(instrument, status.kind === 'open' ? { ...status, issued } : status, pace, clock());
      await moveInstrument(db, instrument, { ...move, now: clock() });
      return;
    }
    case 'change': {
      const result = instruments.changeAmount?.readAnswer(answer) ?? 'unknown';
      // If the provider refuses the change, the instrument still takes any amount. So it is not asked to change it again.
      const changed = result === 'unknown' ? {} : { amount: request.amount };
      await moveInstrument(db, instrument, { ...decideChange(instrument, result, pace, now), ...changed, now });
      return;
    }
    case 'cancel': {
      const result = instruments.cancel?.readAnswer(answer) ?? 'unknown';
      await moveInstrument(db, instrument, { ...decideChange(instrument, result, pace, now), cancelRefused: result === 'refused', now });
    }
  }
}

type Issued = Extract<IssueOutcome, { kind: 'issued' }>;

/** Leaves out a QR text that would pay another amount, or that no scanner reads. If nothing else was issued, the instrument is of no use. */
function withCheckedQr({ log }: Pick<Runtime, 'log'>, { id, amount }: Instrument, issued: Issued): IssueOutcome {
  const { number, qr, link } = issued.ways;
  const problem = qr === null ? null : checkQr(qr, amount);
  if (problem === null) return issued;
  log.warn({ instrumentId: id, problem }, 'a provider issued a QR text that is wrong');
  return number === null && link === null ? { kind: 'refused', reason: 'rejected' } : { ...issued, ways: { number, qr: null, link } };
}

async function bookPayments(
  runtime: WorkerRuntime,
  instrument: Instrument,
  providerAccountId: string,
  status: InstrumentStatus,
): Promise<void> {
  if (status.kind !== 'open' && status.kind !== 'ended') return;
  for (const outcome of status.payments)
    await bookInstrumentPayment(runtime, { instrument, providerAccountId, outcome, payer: null, source: 'status' });
}

/** Applies a stored answer about an instrument, because the worker that received it did not. Uses the fencing token of that worker. */
export async function applyInstrumentMessage(
  runtime: WorkerRuntime,
  message: UnhandledMessage & { readonly kind: 'instrument' | 'instrument_status' },
  account: ProviderAccount,
  adapter: ProviderAdapter,
): Promise<void> {
  const { instrumentId, leaseToken, kind } = message;
  const instrument = instrumentId === null ? undefined : await findInstrument(runtime.db, instrumentId);
  if (!instrument || leaseToken === null || !adapter.instruments) throw new Error(`the instrument of message ${message.id} does not exist`);
  const issuer = { account, adapter, instruments: adapter.instruments };
  const ask = kind === 'instrument' ? 'issue' : 'query';
  const request = toRequest(runtime, instrument, instrument.amount);
  if (instrument.leaseToken === leaseToken) return applyAnswer(runtime, instrument, issuer, { ask, answer: message, request });
  // Another worker has had the instrument since, so the answer changes nothing on it. But payments are booked whenever they become known.
  if (ask === 'query') await bookPayments(runtime, instrument, account.id, adapter.instruments.readStatus(message, request));
}

/** Returns the data of an instrument that an adapter needs. */
function toRequest({ settings }: Pick<Runtime, 'settings'>, instrument: Instrument, amount: bigint): InstrumentRequest {
  const { ourReference: reference, providerReference, kind, number, merchantId, sentAt, environment, billId } = instrument;
  const pageUrl = webPayUrl(baseUrl(settings, environment), billId);
  return { reference, providerReference, kind, number, amount, merchantId, description: `Bill ${reference}`, pageUrl, sentAt };
}

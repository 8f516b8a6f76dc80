import { webhookJson } from '@/lib/gateway/bills/bill-json';
import { billStatus } from '@/lib/gateway/bills/rules';
import { isOpen, RELEASE_AFTER_MS } from '@/lib/gateway/payments/rules';
import type { Books } from './books';
import { findClosingWrongs } from './closing-invariants';
import { findInstrumentWrongs } from './instrument-invariants';
import { findLedgerWrongs, group, sum } from './ledger-invariants';
import { findStepWrongs } from './step-invariants';
import type { World } from './world';

const STATUS_EVENTS: readonly string[] = ['bill.not_paid', 'bill.partially_paid', 'bill.fully_paid'];

const reserves = ({ state, released_at }: Books['attempts'][number]) => isOpen(state) && released_at === null;

/** Returns violations of what must hold after every step, as sentences. @param before the books before the step. */
export function findWrongs(world: World, before: Books): string[] {
  return [
    ...world.provider.complaints,
    ...wrongBills(world),
    ...wrongEvents(world),
    ...findLedgerWrongs(world),
    ...findClosingWrongs(world, before),
    ...wrongStates(world, before),
    ...wrongRefusals(world),
    ...wrongRequests(world, before),
    ...findStepWrongs(world, before),
    ...findInstrumentWrongs(world, before),
    ...wrongMessages(world),
  ];
}

function wrongBills({ books }: World): string[] {
  const allocations = group(books.allocations, ({ bill_id }) => bill_id);
  const attempts = group(books.attempts, ({ bill_id }) => bill_id);
  return books.bills.flatMap((bill) => {
    const paid = sum(allocations.get(bill.id) ?? []);
    const reserved = sum((attempts.get(bill.id) ?? []).filter(reserves));
    const status = billStatus(BigInt(bill.amount), BigInt(paid));
    return [
      ...(bill.paid_amount === paid ? [] : [`${bill.reference} says paid ${bill.paid_amount}, allocated are ${paid}`]),
      ...(bill.reserved_amount === reserved ? [] : [`${bill.reference} says reserved ${bill.reserved_amount}, asked are ${reserved}`]),
      ...(bill.status === status ? [] : [`${bill.reference} is ${bill.status} and should be ${status}`]),
    ];
  });
}

/**
 * Each change of a bill's status has one event and one delivery with the right body. The numbers of a bill's events have no gaps.
 * Deliveries to an endpoint without an address are UNSENT.
 */
function wrongEvents({ books, merchants }: World): string[] {
  const events = group(books.events, ({ bill_id }) => bill_id);
  const deliveries = group(books.deliveries, ({ bill_id }) => bill_id);
  return books.bills.flatMap((bill) => {
    const own = events.get(bill.id) ?? [];
    const changes = own.filter(({ type }) => STATUS_EVENTS.includes(type));
    const repeated = changes.some(({ type }, index) => type === (changes[index - 1]?.type ?? 'bill.not_paid'));
    const last = changes.at(-1)?.type ?? 'bill.not_paid';
    const owed = changes.map(({ number, type }) => `${number} ${type}`);
    const addressed = bill.merchant_id === merchants[0]?.merchant.id;
    const sent = deliveries.get(bill.id) ?? [];
    const announced = sent.map(({ event_number, bill_status }) => `${event_number} bill.${bill_status.toLowerCase()}`);
    const wrongBody = sent.some(({ body, bill_status: status }) =>
      [bill.mobile, null].every((mobile) => body !== webhookJson({ ...bill, amount: BigInt(bill.amount), mobile, status })),
    );
    return [
      ...(own.some(({ number }, index) => number !== index + 1) || bill.event_count !== own.length
        ? [`the events of ${bill.reference} have gaps`]
        : []),
      ...(repeated ? [`${bill.reference} repeats a status: ${changes.map(({ type }) => type).join(', ')}`] : []),
      ...(last === `bill.${bill.status.toLowerCase()}` ? [] : [`${bill.reference} is ${bill.status}, its last event says ${last}`]),
      ...(announced.toSorted().join() === owed.toSorted().join()
        ? []
        : [`${bill.reference} owes ${owed.join(', ')} and announces ${announced.join(', ')}`]),
      ...(sent.every(({ state }) => (state !== 'UNSENT') === addressed) ? [] : [`a webhook of ${bill.reference} is ${sent[0]?.state}`]),
      ...(wrongBody ? [`a webhook of ${bill.reference} has a wrong body`] : []),
    ];
  });
}

/**
 * The provider or a person has reported every new final state, except for attempts that Bili never sent. Every open attempt becomes due
 * again or has an open review.
 */
function wrongStates(world: World, before: Books): string[] {
  const { books, provider, heard, told, conflicts } = world;
  const earlier = new Map(before.attempts.map((attempt) => [attempt.id, attempt]));
  return books.attempts.flatMap((attempt) => {
    const { id, our_reference: reference, state, failure_reason: reason } = attempt;
    const said = (word: string) => heard.words.has(`${reference} ${word}`) || told.has(`${reference} ${word}`);
    const reviewed = books.reviews.some((review) => review.attempt_id === id && review.resolved_at === null);
    const looked = attempt.due_at !== null || !isOpen(state) || (state === 'UNKNOWN' && reviewed);
    const wrongs = looked ? [] : [`${reference} is ${state} and nobody looks at it again`];
    const was = earlier.get(id);
    if (was?.state === state) return wrongs;
    if (was?.state === 'SUCCEEDED') wrongs.push(`${reference} was SUCCEEDED and is ${state}`);
    const till = attempt.provider_account_id === null ? null : world.tillOf(attempt.provider_account_id);
    const paid = till !== null && provider.paymentsFor(till, reference).length > 0;
    if (state === 'SUCCEEDED' && !paid && !conflicts.some((one) => one.reference === reference))
      wrongs.push(`${reference} is SUCCEEDED and nobody paid`);
    if (state === 'EXPIRED' && !said('expired')) wrongs.push(`${reference} is EXPIRED and nobody said so`);
    // A provider that repeats its answers refuses every further request that it has refused once, also one that is on its way.
    const uncertain = [...(provider.uncertain.get(reference) ?? [])];
    const mayBeSent = uncertain.some((request) => !provider.repeatsRefusal(request.till, reference));
    const neverSent = !provider.prompts.has(reference) && !mayBeSent;
    if (state === 'CANCELLED' && mayBeSent) wrongs.push(`${reference} is CANCELLED, and a provider may have it`);
    const ownWord = reason === 'no_provider' || ((reason === 'provider_unavailable' || reason === 'not_sent_in_time') && neverSent);
    if (state === 'FAILED' && !said('failed') && !ownWord && !(said('refused') && !mayBeSent))
      wrongs.push(`${reference} is FAILED and nobody said so`);
    return wrongs;
  });
}

/** An attempt that left an account remembers this account. It forgets the account only if the account says that the attempt is paid. */
function wrongRefusals({ books, mayReturn }: World): string[] {
  return books.attempts
    .filter(({ id, our_reference, refused_account_ids }) => {
      const left = books.events.filter(({ type, attempt }) => type === 'attempt.rerouted' && attempt === id);
      return refused_account_ids.length !== left.length && !mayReturn.has(our_reference);
    })
    .map(({ our_reference }) => `${our_reference} does not remember which accounts it has left`);
}

/**
 * Checks the attempts that were created in this step. Together, the open attempts of a bill must not exceed its remaining amount. A bill
 * may have only one open attempt for a mobile number. A form may create only one attempt for a mobile number. Also checks that no attempt
 * was released too early.
 */
function wrongRequests({ books, runtime }: World, before: Books): string[] {
  const known = new Map(before.attempts.map((attempt) => [attempt.id, attempt]));
  const asked = books.attempts.filter(({ id }) => !known.has(id));
  const tooMuch = books.bills
    .filter(({ id }) => asked.some(({ bill_id }) => bill_id === id))
    .filter(({ id, amount, paid_amount }) => {
      // In a parallel step, a payment may have arrived after the request. So the lower of the paid amounts before and after the step
      // counts.
      const paid = Math.min(paid_amount, before.bills.find((bill) => bill.id === id)?.paid_amount ?? 0);
      const open = sum(books.attempts.filter((attempt) => attempt.bill_id === id && reserves(attempt)));
      return open + paid > Math.ceil(amount / 100) * 100;
    });
  const tooOften = asked.filter(
    ({ bill_id, mobile }) => books.attempts.filter((one) => one.bill_id === bill_id && one.mobile === mobile && reserves(one)).length > 1,
  );
  const repeated = asked.filter(
    ({ bill_id, form_id, mobile }) =>
      form_id !== null &&
      books.attempts.filter((one) => one.bill_id === bill_id && one.form_id === form_id && one.mobile === mobile).length > 1,
  );
  const now = runtime.clock().getTime();
  const tooEarly = books.attempts.filter(({ id, released_at }) => {
    const was = known.get(id);
    if (released_at === null || was?.released_at !== null) return false;
    return was.unknown_since === null || now < Date.parse(was.unknown_since) + RELEASE_AFTER_MS;
  });
  return [
    ...tooMuch.map(({ reference }) => `${reference} is asked for more than is left of it`),
    ...tooOften.map(({ mobile }) => `${mobile} is asked twice at once for one bill`),
    ...repeated.map(({ mobile }) => `${mobile} is asked twice by one form`),
    ...tooEarly.map(({ our_reference }) => `${our_reference} was released too early`),
  ];
}

function wrongMessages({ books, heard, callbacks }: World): string[] {
  const isWrong = (stored: number, certain: number, perhaps: number) => stored < certain || stored > certain + perhaps;
  return [
    ...(isWrong(books.answers, heard.answers, heard.unsure) ? [`${heard.answers} answers came and ${books.answers} are stored`] : []),
    ...(isWrong(books.callbacks, callbacks.stored, callbacks.perhaps)
      ? [`${callbacks.stored} callbacks came and ${books.callbacks} are stored`]
      : []),
  ];
}

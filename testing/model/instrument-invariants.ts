import { INSTRUMENT_TRANSITIONS, type InstrumentState } from '@/lib/gateway/instruments/rules';
import { variantOf } from '../fakes/fake-record';
import type { Books } from './books';
import type { World } from './world';

/** How far the clock of a worker may be ahead, see `SKEWS_MS`. */
const SKEW_MS = 5_000;

/** Returns violations of the rules for instruments, as sentences. @param before the books before the step. */
export function findInstrumentWrongs(world: World, before: Books): string[] {
  return [
    ...wrongMoves(world, before),
    ...wrongOnes(world, before),
    ...outdated(world),
    ...wrongMoney(world),
    ...wrongLateness(world, before),
  ];
}

/** An instrument goes only forward through its states, so that no request is sent twice. A step may contain several moves. */
function wrongMoves({ books }: World, before: Books): string[] {
  return books.instruments.flatMap(({ id, our_reference, state, due_at }) => {
    const was = before.instruments.find((one) => one.id === id)?.state ?? 'ASKED';
    return [
      ...(was === state || leadsTo(was, state) ? [] : [`instrument ${our_reference} was ${was} and is ${state}`]),
      ...(state !== 'ENDED' && due_at === null ? [`instrument ${our_reference} is ${state} and nobody looks at it again`] : []),
    ];
  });
}

/** An instrument of an amount that its bill does not have left is looked at at once. */
function outdated({ books, runtime }: World): string[] {
  const now = runtime.clock().getTime();
  return books.instruments
    .filter(({ kind, state, amount, bill_id, due_at, lease_until }) => {
      const bill = books.bills.find(({ id }) => id === bill_id);
      const due = bill && bill.closed_at === null ? Math.max(Math.ceil((bill.amount - bill.paid_amount) / 100) * 100, 0) : 0;
      const looked = (due_at !== null && Date.parse(due_at) <= now + SKEW_MS) || lease_until !== null;
      // The provider `repeating` takes any amount, and is only told of another one.
      return state === 'ACTIVE' && (kind === 'bill' ? due === 0 : due !== amount) && !looked;
    })
    .map(
      ({ our_reference, amount }) =>
        `instrument ${our_reference} asks for ${amount}, its bill has another amount left, and nobody looks at it`,
    );
}

function leadsTo(from: InstrumentState, to: InstrumentState): boolean {
  // Only a request that was certainly not sent returns to ASKED.
  return INSTRUMENT_TRANSITIONS[from].some((next) => next === to || (next !== 'ASKED' && leadsTo(next, to)));
}

/**
 * A new instrument asks for what is left of an open bill, from an account that the merchant may use, and the bill has no other open one of the
 * same amount at this account. Steps can run in parallel, so what holds before or after the step counts.
 */
function wrongOnes(world: World, before: Books): string[] {
  const { books, tillOf, merchants } = world;
  return books.instruments
    .filter(({ id }) => !before.instruments.some((one) => one.id === id))
    .flatMap(({ id, bill_id, provider_account_id, amount, our_reference }) => {
      const bills = [before, books].flatMap((one) => one.bills.filter((bill) => bill.id === bill_id));
      const due = bills.some((bill) => Math.ceil((bill.amount - bill.paid_amount) / 100) * 100 === amount);
      const open = bills.some(({ closed_at }) => closed_at === null);
      const foreign = tillOf(provider_account_id) === 'own' && bills.some(({ merchant_id }) => merchant_id !== merchants[0]?.merchant.id);
      const twice = books.instruments.some(
        (one) =>
          one.id !== id &&
          one.bill_id === bill_id &&
          one.provider_account_id === provider_account_id &&
          one.state !== 'ENDED' &&
          one.amount === amount,
      );
      return [
        ...(due ? [] : [`instrument ${our_reference} asks for ${amount}, and its bill has another amount left`]),
        ...(open ? [] : [`instrument ${our_reference} is of a closed bill`]),
        ...(foreign ? [`instrument ${our_reference} is of the account of another merchant`] : []),
        ...(twice ? [`the bill of ${our_reference} has two instruments of ${amount} at one account`] : []),
      ];
    });
}

/**
 * Each payment of an instrument belongs to the bill of the instrument, and the bill got all of it. If the answer with the issued number was
 * lost, the payment has no instrument, and is unmatched until a status query names the number.
 */
function wrongMoney({ books, provider, corrected, tillOf }: World): string[] {
  const paidBy = new Map(
    [...provider.instruments.values()].flatMap((one) => provider.paymentsOf(one).map(({ receipt }) => [`${one.till} ${receipt}`, one])),
  );
  return books.payments
    .filter(({ kind }) => kind === 'payment')
    .flatMap(({ id, instrument_id, attempt_id, provider_account_id, provider_transaction_id: receipt, amount, amount_differs }) => {
      const till = tillOf(provider_account_id);
      const paid = paidBy.get(`${till} ${receipt}`);
      const instrument = books.instruments.find(({ our_reference }) => our_reference === paid?.reference);
      if (!paid) return instrument_id === null ? [] : [`${receipt} paid no instrument, and is booked for one`];
      const byGateway = books.allocations.filter(({ payment_id, created_by }) => payment_id === id && created_by === 'gateway');
      const waits = variantOf(till) === 'repeating' && instrument_id === null && byGateway.length === 0;
      const exact = variantOf(till) !== 'repeating' && !corrected.has(`${till} ${receipt}`);
      return [
        ...((instrument_id === instrument?.id || variantOf(till) === 'repeating') && attempt_id === null
          ? []
          : [`${receipt} paid instrument ${paid.reference}, and is not booked for it`]),
        ...(waits || byGateway.some(({ bill_id }) => bill_id === instrument?.bill_id)
          ? []
          : [`${receipt} paid instrument ${paid.reference}, and its bill has nothing of it`]),
        ...(exact && amount_differs !== (amount !== instrument?.amount) ? [`${receipt} says the wrong thing about its amount`] : []),
      ];
    });
}

/** Everything has ended, and no payment of an instrument that customers could pay was missed. Call it before statements are reconciled. */
export function findMissedInstrumentMoney({ books, promised, heard, tillOf }: World): string[] {
  const booked = new Set(
    books.payments.map(({ provider_account_id, provider_transaction_id }) => `${tillOf(provider_account_id)} ${provider_transaction_id}`),
  );
  return [
    ...books.instruments
      .filter(({ state, due_at }) => state !== 'ENDED' || due_at !== null)
      .map(({ our_reference, state }) => `instrument ${our_reference} never ends: it is ${state}`),
    ...promised
      .filter(({ till, receipt, reference }) => !booked.has(`${till} ${receipt}`) && !heard.words.has(`${reference} lie`))
      .map(({ till, receipt, reference }) => `${till} ${receipt} paid instrument ${reference}, and is not in the ledger`),
  ];
}

/** A payment is `late` if its instrument had ended or its bill was closed. */
function wrongLateness({ books }: World, before: Books): string[] {
  return books.payments
    .filter(({ id, kind }) => kind === 'payment' && !before.payments.some((payment) => payment.id === id))
    .flatMap(({ instrument_id, late, provider_transaction_id: receipt }) => {
      const isOver = (at: Books) => {
        const instrument = at.instruments.find(({ id }) => id === instrument_id);
        const ended = instrument?.state === 'ENDED';
        return { ended, over: ended || at.bills.some(({ id, closed_at }) => id === instrument?.bill_id && closed_at !== null) };
      };
      if (instrument_id === null) return [];
      return [
        ...(late && !isOver(before).over && !isOver(books).over
          ? [`${receipt} says that it came late, and its instrument had not ended`]
          : []),
        ...(!late && isOver(before).ended ? [`${receipt} came after the end of its instrument, and does not say so`] : []),
      ];
    });
}
